// House players as the page shows them. Law: what is one says so, in every list, in the reader's own language; a name alone
// proves nothing, since anybody may call themselves anything.

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** Before a name where there is no room for all of it. */
export const botIcon = (seat) => (seat.bot ? icon("i-bot") : null);

/** Behind a name that says what it is: how strong. */
export function botMark(seat) {
  return seat.bot ? h("small", { class: "bot-mark", title: t(`hint.bot.${seat.bot}`) }, t(`bot.${seat.bot}`)) : null;
}

/** The host's line for one more house player of those strengths that there are, the weakest first; `send` takes the command. */
export class BotAdder {
  constructor(send) {
    this.send = send;
    this.strength = "searching";
  }

  draw(strengths) {
    if (!strengths.length) return null;
    const chosen = () => (strengths.includes(this.strength) ? this.strength : strengths.at(-1));
    const hint = h("p", { class: "hint", id: "bot-hint" }, t(`hint.bot.${chosen()}`), " ", t("room.bot.hint"));
    const select = h("select", { id: "bot-strength", "data-testid": "bot-strength", "aria-label": t("room.bot.strength"), "aria-describedby": "bot-hint",
      onchange: (event) => {
        this.strength = event.target.value;
        const [first] = event.target.closest(".bot-adder").querySelector("#bot-hint").childNodes;
        first.data = t(`hint.bot.${this.strength}`);
      } },
    strengths.map((strength) => h("option", { value: strength, selected: strength === chosen() }, t(`bot.${strength}`))));
    return h("div", { class: "bot-adder" },
      h("div", { class: "actions" }, h("button", { class: "secondary", "data-testid": "add-bot", onclick: () => this.send({ t: "add_bot", strength: chosen() }) }, t("room.bot.add")), select), hint);
  }
}
