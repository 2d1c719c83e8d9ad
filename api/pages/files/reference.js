"use strict";

// Starts Swagger UI with the document of this service. Nothing is asked of another host: it would send the document's
// address to a validator otherwise. A key that is entered is forgotten with the page.

/** Return what a reference such as `#/components/schemas/Card` stands for. */
function referredTo(document, reference) {
  return reference.slice(2).split("/").reduce((part, key) => part[key], document);
}

/** Return a part of the document with everything that it refers to in its place; what would contain itself stays referred to. */
function complete(document, part, within = []) {
  if (part === null || typeof part !== "object") {
    return part;
  }
  if (Array.isArray(part)) {
    return part.map((each) => complete(document, each, within));
  }
  if (part.$ref && !within.includes(part.$ref)) {
    const { $ref, ...beside } = part;
    const found = complete(document, referredTo(document, $ref), [...within, $ref]);
    return { ...found, ...complete(document, beside, within) };
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, complete(document, value, within)]));
}

// Swagger UI's own way goes through the whole document, which takes seconds, each time that an operation is opened.
const quickly = () => ({
  fn: {
    resolveSubtree: async (document, path) => {
      const part = path.reduce((found, key) => found?.[key], document);
      return { spec: complete(document, part), errors: [] };
    },
  },
});

function start() {
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#operations",
    plugins: [quickly],
    validatorUrl: null,
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
  });
}

/** Follow the colours that the reader likes: in Swagger UI they are a class. */
function followColours() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

followColours();
start();
