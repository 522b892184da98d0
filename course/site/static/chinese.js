// What the theme says in English on a Chinese page.
const CHINESE = {
  "Color mode": "明暗模式",
  "System Settings": "跟随系统",
  "Toggle primary sidebar": "章节列表",
  "Toggle secondary sidebar": "本页目录",
  "Main": "各章",
  "Page": "本页",
};

document.addEventListener("DOMContentLoaded", () => {
  for (const name of ["title", "aria-label", "data-bs-original-title"])
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const said = element.getAttribute(name);
      if (said in CHINESE) element.setAttribute(name, CHINESE[said]);
    }
  for (const element of document.querySelectorAll(".theme-change-button"))
    for (const text of element.childNodes)
      if (text.nodeType === Node.TEXT_NODE && text.data.trim() in CHINESE) text.data = CHINESE[text.data.trim()];
});
