// Paper is white: by night, too, a page is printed as by day.
const page = document.documentElement.dataset;
let onScreen;
matchMedia("print").addEventListener("change", (printing) => {
  if (printing.matches) onScreen = page.theme;
  page.theme = printing.matches ? "light" : onScreen;
});
