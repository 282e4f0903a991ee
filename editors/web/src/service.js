// The language service of the viewer: questions about the text of the editor.

export class Service {
  /** address: what all questions are under; path: the plain file. */
  constructor(address, path) {
    this.address = address;
    this.path = path;
    this.broken = "";
  }

  /** The answer to a question; null where it was overtaken by another (signal), or there is none. */
  async ask(what, question, signal) {
    try {
      const answer = await fetch(`${this.address}/${what}?${new URLSearchParams({ path: this.path })}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(question),
        signal,
      });
      const said = await answer.json();
      this.broken = answer.ok ? "" : said.message;
      return answer.ok ? said : { refused: said.message };
    } catch (error) {
      if (error.name !== "AbortError") this.broken = String(error.message ?? error);
      return null;
    }
  }
}
