// A quarrel at the table, told with openapi-fetch and the types that openapi-typescript makes of the document.
//
// `make test-clients` makes the types, and runs this against two services: one that is open, and one that asks for keys.

import assert from "node:assert/strict";
import { env } from "node:process";
import createClient from "openapi-fetch";
import type { components, paths } from "../../build/clients/thirtyone.d.ts";

type Schemas = components["schemas"];
type HandLog = Schemas["HandLog"];
type Problem = Schemas["Problem"];

const service = env["SERVICE"]!;
const client = createClient<paths>({ baseUrl: service });

// The id of the hand below, judged by the rules of `pagat`, on every machine.
const REPLAY = "3ee9ed77149e5d9f555dfaaeff0d2eede1ed5ed58754c5f820d09b333d6f353c";
const path = { replay: REPLAY };

// The hand of the README as far as these events: Ben knocks with 19, and so has Ana.
const benKnocks = (...events: Schemas["Event"][]): HandLog => ({
  kind: "log",
  players: ["Ben", "Cara", "Dan", "Ana"].map((name) => ({ lives: 3, name })),
  dealer: 4,
  deal: {
    hands: [["Ks", "9s", "2h"], ["Tc", "8c", "4d"], ["Th", "8h", "3s"], ["Ad", "8d", "6c"]],
    upcard: "5h",
  },
  events: [{ type: "knock", seat: 1 }, ...events],
});
const hand = benKnocks(
  { type: "draw_stock", seat: 2, card: "9c" },
  { type: "discard", seat: 2, card: "4d" },
  { type: "draw_stock", seat: 3, card: "7h" },
  { type: "discard", seat: 3, card: "3s" },
  { type: "draw_stock", seat: 4, card: "2c" },
  { type: "discard", seat: 4, card: "2c" },
);

// What a ruling comes to. Its outcome tells what else it has, and a fourth outcome would not compile.
function told(ruling: Schemas["Ruling"]): string {
  switch (ruling.outcome) {
    case "settled":
      return ruling.seats.map((seat) => seat.change).join(" ");
    case "refused":
      return `${ruling.kind}: ${ruling.broken.map((broken) => broken.rule).join(", ")}`;
    case "unfinished":
      return `seat ${ruling.to_act} may ${ruling.may.join(", ")}`;
    default:
      return ruling satisfies never;
  }
}

// What happened at the table, event by event.
function toldOf(event: Schemas["Event"]): string {
  switch (event.type) {
    case "discard":
      return `${event.seat} discards ${event.card}`;
    case "exchange":
      return `${event.seat} gives ${event.give.join()} for ${event.take.join()}`;
    case "reshuffle":
      return "the discards become the stock";
    case "draw_stock":
    case "take_discard":
    case "knock":
    case "declare":
    case "stand":
      return `${event.seat}: ${event.type}`;
    default:
      return event satisfies never;
  }
}

// How a game is lost, by the form of its rules.
const cost = (rules: Schemas["RuleSet"]): string =>
  rules.form === "stock" ? `knocker_tie: ${rules.knocker_tie}` : `pot_tie: ${rules.pot_tie}`;

async function aRuling(): Promise<void> {
  const { data, error, response } = await client.POST("/v1/rulings", { body: { hand } });
  assert.ok(data, JSON.stringify(error));
  assert.equal(response.status, 201);
  assert.equal(data.replay, REPLAY);
  assert.ok(data.ruling.outcome === "settled");
  assert.equal(data.ruling.ended_by, "knock");
  assert.deepEqual(data.ruling.seats.map((seat) => seat.value), [19, 27, 25, 19]);
  assert.equal(told(data.ruling), "0 0 0 -1");
  const [, tie] = data.ruling.citations;
  assert.equal(tie?.rule, "lose.knocker-tie");
  assert.equal(tie?.option, "knocker_tie");
  assert.match(tie?.says ?? "", /^Ben knocked and ties for the lowest hand with Ana/);
  assert.equal(cost(data.ruling.rules), "knocker_tie: safe");

  const again = await client.POST("/v1/rulings", { body: { rules: { preset: "pagat" }, hand } });
  assert.equal(again.response.status, 200);
  assert.equal(again.data?.replay, REPLAY);
}

async function whatIsNotSettled(): Promise<void> {
  const early = await client.POST("/v1/rulings", { body: { hand: benKnocks() } });
  assert.match(told(early.data!.ruling), /^seat 2 may .*draw_stock/);
  assert.equal(early.data!.replay, null);

  const twice = benKnocks({ type: "draw_stock", seat: 2, card: "Ks" });
  const wrong = await client.POST("/v1/rulings", { params: { query: { store: false } }, body: { hand: twice } });
  assert.equal(told(wrong.data!.ruling), "impossible: log.card-twice");
}

async function aComparison(): Promise<void> {
  const { data } = await client.POST("/v1/comparisons", { body: { replay: REPLAY, rules: "all-presets" } });
  const groups = data!.groups.map((group) => group.map((place) => data!.rule_sets[place]?.preset));
  assert.deepEqual(groups, [
    ["pagat", "wikipedia", "pub", "family", "cadillac"],
    ["large-group"],
    ["casual", "blitz", "wild-jokers", "redemption", "ride-the-bus", "four-lives-online"],
    ["quick-knock"],
  ]);
  const parting = data!.differences.map((difference) => difference.options.map((each) => `${each.option}: ${each.other}`));
  assert.deepEqual(parting, [["first_knock: ends_hand"], ["knocker_tie: shares"], ["knocker_tie: double"]]);
}

async function aDispute(): Promise<void> {
  const { data } = await client.POST("/v1/disputes", {
    body: { replay: REPLAY, claims: [{ changes: [-1, 0, 0, -1], by: 4 }] },
  });
  assert.ok(data?.complete);
  const [claim] = data.claims;
  assert.equal(claim?.holds, false);
  assert.deepEqual(claim.nearest.map((nearest) => nearest.changes), [{ knocker_tie: "shares" }]);
  assert.ok(claim.presets.includes("casual"));
  assert.ok(data.decisive.some((decisive) => decisive.option === "first_knock"));
}

async function aReplay(): Promise<void> {
  const { data } = await client.GET("/v1/replays/{replay}", { params: { path } });
  assert.ok(data?.question.hand.kind === "log");
  assert.equal(data.question.hand.players[0]?.name, undefined);
  assert.equal(toldOf(data.question.hand.events[2]!), "2 discards 4d");

  const same = await client.POST("/v1/replays/{replay}/reruns", { params: { path }, body: {} });
  assert.equal(same.data?.result, "same");
  const other = await client.POST("/v1/replays/{replay}/reruns", {
    params: { path },
    body: { rules: { changes: { knocker_tie: "shares" } } },
  });
  assert.equal(other.data?.result, "other_rules");
  assert.equal(told(other.data!.ruling), "-1 0 0 -1");
}

// Keep some more hands, and go through all that are kept, two at a time.
async function aWalk(): Promise<void> {
  const hands = [1, 2, 3, 4].map((lives): Schemas["ShowdownRecord"] => ({
    kind: "showdown",
    players: [{ lives, cards: ["9s", "5d", "2h"] }, { lives: 1, cards: ["Ad", "8d", "6c"] }],
    ended_by: { type: "knock", seat: 1 },
  }));
  const batch = await client.POST("/v1/rulings/batch", { body: { hands } });
  const stored = batch.data!.answers.map((item) => item.replay);

  const found: string[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { outcome: "settled", limit: 2, ...(cursor ? { cursor } : {}) } as const;
    const { data } = await client.GET("/v1/replays", { params: { query } });
    assert.ok(data!.replays.length <= 2);
    found.push(...data!.replays.map((each) => each.replay));
    cursor = data!.next;
  } while (cursor !== null);
  assert.deepEqual(found, [...stored.reverse(), REPLAY]);
}

async function theRules(): Promise<void> {
  const casual = await client.GET("/v1/presets/{preset}", { params: { path: { preset: "casual" } } });
  assert.equal(cost(casual.data!.rules), "knocker_tie: shares");
  const bicycle = await client.GET("/v1/presets/{preset}", { params: { path: { preset: "bicycle" } } });
  assert.equal(cost(bicycle.data!.rules), "pot_tie: card_rank");
  const sheet = await client.GET("/v1/presets/{preset}/sheet.md", {
    params: { path: { preset: "casual" } },
    parseAs: "text",
  });
  assert.match(sheet.data!, /^# /);
}

function check(problem: Problem | undefined, status: number, slug: string): Problem {
  assert.ok(problem);
  assert.equal(problem.type, `/problems/${slug}`);
  assert.equal(problem.status, status);
  assert.ok(problem.title && problem.detail && problem.request_id);
  return problem;
}

// Ask wrongly, in every way that there is: each time there is a problem of its own type.
async function theProblems(): Promise<void> {
  const nonsense = await client.GET("/v1/replays", { params: { query: { cursor: "nonsense" } } });
  check(nonsense.error, 400, "bad-parameter");
  const nothing = await client.GET("/v1/replays/{replay}", { params: { path: { replay: "0".repeat(64) } } });
  check(nothing.error, 404, "not-found");
  const picture = await client.POST("/v1/rulings", { body: { hand }, headers: { Accept: "image/png" } });
  check(picture.error, 406, "not-acceptable");
  const markup = await client.POST("/v1/rulings", { body: { hand }, headers: { "Content-Type": "text/xml" } });
  check(markup.error, 415, "unsupported-media-type");
  const long = benKnocks(...Array.from({ length: 30_000 }, () => ({ type: "discard", seat: 1, card: "Ks" }) as const));
  check((await client.POST("/v1/rulings", { body: { hand: long } })).error, 413, "too-large");

  const noSeat = await client.POST("/v1/rulings", { body: { hand: { ...hand, dealer: 99 } } });
  assert.equal(check(noSeat.error, 422, "invalid").errors[0]?.pointer, "/hand/dealer");
  const otherForm = await client.POST("/v1/rulings", {
    body: { rules: { preset: "widow", changes: { knocker_tie: "safe" } }, hand },
  });
  check(otherForm.error, 422, "incompatible-answers");

  // The types allow no request of this kind.
  const put = await fetch(`${service}/v1/rulings`, { method: "PUT" });
  check((await put.json()) as Problem, 405, "method-not-allowed");

  const stranger = createClient<paths>({ baseUrl: env["GUARDED"]! });
  check((await stranger.POST("/v1/rulings", { body: { hand } })).error, 401, "unauthenticated");
  const headers = { Authorization: `Bearer ${env["READ_KEY"]}` };
  const reader = createClient<paths>({ baseUrl: env["GUARDED"]!, headers });
  check((await reader.POST("/v1/rulings", { body: { hand } })).error, 403, "forbidden");
  const once = { params: { query: { store: false } }, body: { hand } };
  assert.ok((await reader.POST("/v1/rulings", once)).data);
  const twice = await reader.POST("/v1/rulings", once);
  check(twice.error, 429, "too-many-requests");
  assert.ok(Number(twice.response.headers.get("Retry-After")) > 0);
}

await aRuling();
await whatIsNotSettled();
await aComparison();
await aDispute();
await aReplay();
await aWalk();
await theRules();
await theProblems();
