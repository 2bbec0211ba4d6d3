// Starts the page: from the data in it, or from the server.

function takeData(id) {
  const element = byId(id);
  const text = element.textContent.trim();
  element.remove();
  return text.startsWith("@") ? "" : text;
}

async function start() {
  const theme = remembered.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const app = new App();
  app.showView("messages", true);
  document.addEventListener("keydown", (event) => onKey(app, event));
  const main = byId("main");
  resizable(byId("split"), "timeline", 24, () => innerHeight * 0.6, (at) => at.top - main.getBoundingClientRect().top);
  resizable(byId("divider"), "detail", 240, () => innerWidth * 0.75, (at) => main.getBoundingClientRect().right - at.left);
  try {
    const index = takeData("index"), bytes = takeData("bytes");
    if (index === "") {
      app.live = new Live(app);
      await app.live.start();
      return;
    }
    const store = new Store(JSON.parse(new TextDecoder().decode(await inflate(index))));
    store.ready = inflate(bytes).then((blob) => { store.blob = blob; });
    app.open(store);
    performance.mark("midwire list");
    await store.ready;
    app.ready();
    performance.mark("midwire ready");
  } catch (error) {
    app.fail(error);
  }
}

start();
