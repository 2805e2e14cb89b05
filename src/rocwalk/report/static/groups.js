// The curves of the subgroups, for the model that is chosen.
"use strict";
rocwalk.sections.groups = function (host, data) {
  const pick = rocwalk.parts(host), model = pick("model"), figure = host.querySelector("figure"), side = pick("side");
  function draw() {
    const { name, curves } = data.models[Number(model.value)];
    figure.replaceChildren();
    side.replaceChildren();
    rocwalk.gallery(figure, side, `${name}: ${data.description}`, "Group", curves);
  }
  model.addEventListener("change", draw);
  draw();
};
