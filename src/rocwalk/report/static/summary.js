// The curves beside the verdict, each with the point of the rule in force.
"use strict";
rocwalk.sections.summary = function (host, data) {
  const pick = rocwalk.parts(host), chart = rocwalk.rocChart(host.querySelector("figure"), data.description);
  rocwalk.rocCurves(chart);
  rocwalk.advice(host.querySelector("[data-question=action]"));
  rocwalk.legend(pick("legend"), rocwalk.models.map(({ name }, k) => ({ words: name, value: data.areas[k], style: rocwalk.ink(k) })));
};

// What to do: the advice that the page was made with, or what a rule that was set here does.
rocwalk.advice = function (answer) {
  if (!answer) return;
  const { rule } = rocwalk, made = [...answer.querySelectorAll(".answer-words")], percent = (share) => `${rocwalk.fixed(100 * share, share >= 0.1 ? 0 : 1)}\u00a0%`;
  const looks = ["warns", "doubts"].filter((look) => answer.classList.contains(look));
  const now = rocwalk.node("p", "", { class: "answer-words", "data-role": "advice" });
  answer.append(now);
  rule.follow(() => {
    const isFirst = rule.isFirst(), few = rocwalk.models.slice(0, 3);
    made.forEach((node) => { node.hidden = !isFirst; });
    now.hidden = isFirst;
    looks.forEach((look) => answer.classList.toggle(look, isFirst));
    const said = few.map((walk) => {
      const { words, x, y, expected } = rule.at(walk);
      return words === "∞" ? `${walk.name} calls nothing positive, at a cost of ${rocwalk.rate(expected)} an item.` : `${walk.name} from ${words}: finds ${percent(y)} of the positives, calls ${percent(x)} of the negatives positive, at a cost of ${rocwalk.rate(expected)} an item.`;
    });
    now.textContent = `${rule.words()}. ${said.join(" ")} Set on this page, so without intervals: a page that is made with this rule has them.`;
  });
};
