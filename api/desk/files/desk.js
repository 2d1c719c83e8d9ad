"use strict";

// The desk works by forms alone. This sends a form as soon as something in it changes, and puts the parts of the answer
// that may differ into the page; it keeps in the browser what must not be sent, and what must outlast the page.

const form = document.querySelector("form[data-live]");
const LATER = 250;
let waiting = 0;
let asking = new AbortController();

/** Send the form, as the pressed button would, and show the answer in place. */
async function send(button) {
  clearTimeout(waiting);
  asking.abort();
  const mine = (asking = new AbortController());
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form, button)),
      headers: { Accept: "text/html" },
      signal: mine.signal,
    });
    const isPage = answer.headers.get("content-type").startsWith("text/html");
    const text = await answer.text();
    if (isPage) {
      show(new DOMParser().parseFromString(text, "text/html"));
      if (button?.hasAttribute("data-top")) {
        scrollTo(0, 0);
      }
    } else {
      tell(JSON.parse(text).detail);
    }
  } catch (error) {
    if (error.name !== "AbortError") {
      tell(form.dataset.failed);
    }
  } finally {
    if (mine === asking) {
      form.removeAttribute("aria-busy");
    }
  }
}

/** Say a sentence where the answer would be. */
function tell(sentence) {
  document.querySelector("[role=status]").textContent = sentence;
}

/** Put the parts of another page that may differ in the place of those here; focus and what is being typed stay. */
function show(page) {
  const active = document.activeElement;
  const typed = active.matches("input:not([type=radio], [type=checkbox]), textarea") ? active.value : null;
  const selected = typed === null ? null : [active.selectionStart, active.selectionEnd];
  const unfolded = [...document.querySelectorAll("[data-swap] details[id][open]")].map((each) => each.id);
  for (const old of document.querySelectorAll("[data-swap]")) {
    const now = page.getElementById(old.id);
    if (now && old.innerHTML !== now.innerHTML) {
      old.replaceChildren(...now.childNodes);
    }
  }
  for (const id of unfolded) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  const again = active.id && document.getElementById(active.id);
  if (again && again !== active) {
    again.focus({ preventScroll: true });
    if (typed !== null) {
      again.value = typed;
      again.setSelectionRange(...selected);
    }
  } else if (!active.isConnected) {
    document.getElementById("content").focus({ preventScroll: true });
  }
  settleIn();
}

/** Do what has to be done to a page that has just come. */
function settleIn() {
  const link = document.getElementById("link");
  if (link) {
    history.replaceState(null, "", link.href);
  } else if (location.search) {
    history.replaceState(null, "", form.action);
  }
  for (const button of document.querySelectorAll("[data-copy], [data-print]")) {
    button.hidden = false;
  }
  for (const field of document.querySelectorAll("[data-keep]")) {
    localStorage.setItem(`thirtyone.${field.dataset.keep}`, field.value);
  }
}

/** Put into the form what the browser has kept of it, and the names in the address; return whether there was any. */
function recall() {
  let isAny = false;
  for (const field of document.querySelectorAll("[data-keep]")) {
    const kept = localStorage.getItem(`thirtyone.${field.dataset.keep}`);
    if (kept && !field.value) {
      field.value = kept;
      isAny = true;
    }
  }
  const names = new URLSearchParams(location.hash.slice(1)).get("names") ?? "";
  names.split(",").map(unescaped).forEach((name, place) => {
    const field = form.elements[`n${place + 1}`];
    if (name && field && !field.value) {
      field.value = name;
      isAny = true;
    }
  });
  return isAny;
}

/** Return a name as it was before it was put into an address; nothing if it is no such name. */
function unescaped(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

/** Copy the address of a link. Browsers hide the clipboard from pages of plain HTTP, so that those select it. */
async function copy(button) {
  const address = document.getElementById(button.dataset.copy).href;
  let copied = false;
  if (navigator.clipboard) {
    copied = await navigator.clipboard.writeText(address).then(() => true, () => false);
  } else {
    const field = Object.assign(document.createElement("textarea"), { value: address });
    button.after(field);
    field.select();
    copied = document.execCommand("copy");
    field.remove();
  }
  const text = button.textContent;
  button.textContent = copied ? button.dataset.copied : button.dataset.notCopied;
  setTimeout(() => (button.textContent = text), 2000);
}

form.addEventListener("submit", (event) => {
  if (!event.submitter?.hasAttribute("formaction")) {
    event.preventDefault();
    send(event.submitter);
  }
});
form.addEventListener("change", () => send());
form.addEventListener("input", (event) => {
  if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea")) {
    clearTimeout(waiting);
    waiting = setTimeout(send, LATER);
  }
});
document.addEventListener("click", (event) => {
  const inside = event.target.closest('a[href^="#"]');
  if (inside) {
    // Not by its address, which has the names.
    event.preventDefault();
    const place = document.getElementById(inside.hash.slice(1));
    place.tabIndex = -1;
    place.focus();
    place.scrollIntoView();
  }
  const button = event.target.closest("[data-copy], [data-print]");
  if (button?.hasAttribute("data-copy")) {
    copy(button);
  } else if (button) {
    print();
  }
});
document.addEventListener("keydown", (event) => {
  if (!event.target.matches("input, textarea, select") && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:enabled`);
    if (button) {
      event.preventDefault();
      button.click();
    }
  }
});
if (recall()) {
  send();
} else {
  settleIn();
}
