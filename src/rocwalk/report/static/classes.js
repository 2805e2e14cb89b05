// One curve per class against the rest.
"use strict";
rocwalk.sections.classes = function (host, data) {
  rocwalk.gallery(host.querySelector("figure"), rocwalk.parts(host)("side"), data.description, "Class", data.curves);
};
