"use strict";

// What the pages have besides their text: commands for the very service that shows them, a button to copy each, and a
// list of pages that is open where there is room. Without this script everything can be read all the same.

const WRITTEN = "http://127.0.0.1:8031";

/** Make the commands ask this service, wherever it is reached. */
function addressCommands() {
  const texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("code")) {
      text.data = text.data.replaceAll(WRITTEN, location.origin);
    }
  }
}

/** Copy the text of an element. Browsers hide the clipboard from pages of plain HTTP, so that those select it. */
async function copy(element) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  }
  getSelection().selectAllChildren(element);
  return document.execCommand("copy");
}

function addButtons() {
  for (const block of document.querySelectorAll(".code.sh")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const copied = await copy(block.querySelector("code")).catch(() => false);
      button.textContent = copied ? "Copied" : "Not copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    block.append(button);
  }
}

function openPagesWhereThereIsRoom() {
  const room = matchMedia("(min-width: 60rem)");
  const follow = () => (document.querySelector(".pages details").open = room.matches);
  room.addEventListener("change", follow);
  follow();
}

addressCommands();
addButtons();
openPagesWhereThereIsRoom();
