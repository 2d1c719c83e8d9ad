"use strict";

// The desk works by forms alone. This sends a form as soon as something in it changes, and puts the parts of the answer
// that may differ into the page; it keeps in the browser what must not be sent, and what must outlast the page.

const form = document.querySelector("form[data-live]");
const TYPED = "input:not([type=radio], [type=checkbox]), textarea";
const LATER = 250;
const pressed = [];
let waiting = 0;
let asking = new AbortController();
/** With which values fields were last sent. */
let sent = new WeakMap();

/** Press a button: it has its turn once those that were pressed before it have been answered, so that no tap is lost. */
function press(button) {
  pressed.push(button);
  if (pressed.length === 1) {
    send();
  }
}

/** Send the form as it is now, as the first of the pressed buttons would, and show the answer in place. */
async function send() {
  clearTimeout(waiting);
  asking.abort();
  const mine = (asking = new AbortController());
  form.setAttribute("aria-busy", "true");
  for (const field of form.elements) {
    sent.set(field, field.value);
  }
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form, pressed[0])),
      headers: { Accept: "text/html" },
      signal: mine.signal,
    });
    const isPage = answer.headers.get("content-type").startsWith("text/html");
    const text = await answer.text();
    if (isPage) {
      take(new DOMParser().parseFromString(text, "text/html"));
    } else {
      fail(JSON.parse(text).detail);
    }
  } catch (error) {
    if (error.name !== "AbortError") {
      fail(form.dataset.failed);
    }
  }
  if (mine === asking) {
    form.removeAttribute("aria-busy");
    pressNext();
  }
}

/** Take a page as the answer; whatever stands between a browser and the service may have pages of its own. */
function take(page) {
  if (!page.querySelector("form[data-live]")) {
    fail(form.dataset.failed);
    return;
  }
  const button = pressed.shift();
  show(page);
  if (button?.hasAttribute("data-top")) {
    scrollTo(0, 0);
  }
}

/** Say why there is no answer, and forget what was pressed. */
function fail(sentence) {
  pressed.length = 0;
  sent = new WeakMap();
  tell(sentence);
}

/** Send the form for the next of the pressed buttons that is still there after the answer to the one before. */
function pressNext() {
  while (pressed.length) {
    const button = pressed[0].isConnected ? pressed[0] : document.getElementById(pressed[0].id);
    if (button && !button.disabled) {
      pressed[0] = button;
      send();
      return;
    }
    pressed.shift();
  }
}

/** Say a sentence where the answer would be. */
function tell(sentence) {
  (document.querySelector(".acts [role=status]") ?? document.querySelector("[role=status]")).textContent = sentence;
}

/** Put the parts of another page that may differ in the place of those here; focus and what is being typed stay. */
function show(page) {
  const active = document.activeElement;
  const typing = active.matches(TYPED) ? active : null;
  const unfolded = [...document.querySelectorAll("[data-swap] details[id][open]")].map((each) => each.id);
  for (const old of document.querySelectorAll("[data-swap]")) {
    const now = page.getElementById(old.id);
    if (now && old.innerHTML !== now.innerHTML) {
      const counterpart = old.contains(typing) && page.getElementById(typing.id);
      if (counterpart && now.contains(counterpart)) {
        replaceAround(typing, old, counterpart, now);
      } else {
        old.replaceChildren(...now.childNodes);
      }
    }
  }
  for (const field of document.querySelectorAll("[data-swap] :is(input, textarea)")) {
    // What the service made of a field may be what it was before it was changed.
    if (field !== typing && field.value !== field.defaultValue) {
      field.value = field.defaultValue;
    }
  }
  for (const id of unfolded) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  const again = active.id && document.getElementById(active.id);
  if (again && again !== active) {
    again.focus({ preventScroll: true });
  } else if (!active.isConnected) {
    document.getElementById("content").focus({ preventScroll: true });
  }
  settleIn();
}

/**
 * Replace all that an element has but a field in it, by what stands around the counterpart of that field.
 *
 * A field that is typed in must not be put in anew, not even with the same text: how far it is scrolled, what can be
 * undone in it and a character that is not yet composed would be lost.
 */
function replaceAround(field, old, counterpart, now) {
  const within = [...old.childNodes].find((each) => each.contains(field));
  const nodes = [...now.childNodes];
  const at = nodes.findIndex((each) => each.contains(counterpart));
  for (const each of [...old.childNodes]) {
    if (each !== within) {
      each.remove();
    }
  }
  within.before(...nodes.slice(0, at));
  within.after(...nodes.slice(at + 1));
  for (const name of within.getAttributeNames()) {
    if (!nodes[at].hasAttribute(name)) {
      within.removeAttribute(name);
    }
  }
  for (const { name, value } of nodes[at].attributes) {
    within.setAttribute(name, value);
  }
  if (within === field) {
    field.defaultValue = counterpart.defaultValue;
  } else {
    replaceAround(field, within, counterpart, nodes[at]);
  }
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
    keep(field);
  }
}

/** Keep a field in the browser. One that keeps nothing for pages, or has no room, is no reason not to go on. */
function keep(field) {
  try {
    localStorage.setItem(`thirtyone.${field.dataset.keep}`, field.value);
  } catch {
    document.getElementById("unkept")?.removeAttribute("hidden");
  }
}

/** Return what the browser has kept of a field; null if there is nothing. */
function kept(field) {
  try {
    return localStorage.getItem(`thirtyone.${field.dataset.keep}`);
  } catch {
    return null;
  }
}

/** Go on with what another page has kept since, so that two pages do not write over each other. */
function keepUp() {
  let isOther = false;
  // Not with a key: one is typed, and half of it is none.
  for (const field of document.querySelectorAll("input[type=hidden][data-keep]")) {
    const now = kept(field);
    if (now !== null && now !== field.value) {
      field.value = now;
      isOther = true;
    }
  }
  if (isOther) {
    send();
  }
}

/** Put into the form what the browser has kept of it, and the names in the address; return whether there was any. */
function recall() {
  let isAny = false;
  for (const field of document.querySelectorAll("[data-keep]")) {
    const last = kept(field);
    // Whoever made an address that brings something of the kind must not do away with what is kept.
    if (last && (!field.value || location.search)) {
      field.value = last;
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
    if (event.submitter?.name) {
      press(event.submitter);
    } else {
      send();
    }
  }
});
form.addEventListener("change", (event) => {
  // What was typed has been sent by itself before its field is left.
  if (!event.target.matches(TYPED) || sent.get(event.target) !== event.target.value) {
    send();
  }
});
form.addEventListener("input", (event) => {
  if (event.target.matches(TYPED)) {
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
    // A key that is held goes on as the answers come.
    const isTooSoon = event.repeat && pressed.length > 0;
    if (button || (isTooSoon && event.key === "Enter")) {
      event.preventDefault();
    }
    if (button && !isTooSoon) {
      button.click();
    }
  }
});
addEventListener("storage", keepUp);
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    keepUp();
  }
});
if (recall()) {
  send();
} else {
  settleIn();
}
