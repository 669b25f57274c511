// @google/genai's interactions.

import { GoogleGenAI } from "@google/genai";
import { cut, headers, origin, question, report, run, streams } from "./job.mjs";

const { interactions } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: origin, apiVersion: "v1beta", headers } });

const tools = [
  {
    type: "function",
    name: "get_weather",
    description: "The weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];

// The steps of an answer; of a stream, put together of its events.
async function ask(input, more = {}) {
  const request = { model: "demo", input, ...more };
  if (!streams) return (await interactions.create(request)).steps;
  const steps = [];
  for await (const event of await interactions.create({ ...request, stream: true })) {
    if (event.event_type === "step.start") steps.push(event.step);
    if (event.event_type === "step.delta") add(steps[event.index], event.delta);
    if (event.event_type === "step.stop" && typeof steps[event.index].arguments === "string") {
      steps[event.index].arguments = JSON.parse(steps[event.index].arguments);
    }
  }
  return steps;
}

function add(step, delta) {
  if (delta.type === "text") {
    step.content ??= [{ type: "text", text: "", annotations: [] }];
    step.content[0].text += delta.text;
  }
  if (delta.type === "text_annotation_delta") step.content[0].annotations.push(...delta.annotations);
  if (delta.type === "thought_signature") step.signature = delta.signature;
  if (delta.type === "arguments_delta") {
    step.arguments = (typeof step.arguments === "string" ? step.arguments : "") + delta.arguments;
  }
}

await run({
  async cite() {
    const [{ text, annotations }] = (await ask(question)).at(-1).content;
    const cited = annotations.filter(({ type }) => type === "url_citation" || type === "place_citation");
    const placed = cited.every((one) => one.end_index !== undefined); // a vendor may not say where a citation belongs
    if (!placed) return { text, citations: cited.map(({ url }) => [url]) };
    return cut(text, cited.map((one) => [one.url, one.start_index ?? 0, one.end_index]));
  },

  async weather() {
    const asked = { type: "user_input", content: [{ type: "text", text: question }] };
    const steps = await ask([asked], { tools });
    const calls = steps.filter((step) => step.type === "function_call");
    const cities = calls.map((call) => call.arguments.city);
    const results = calls.map(({ id, name }, at) => ({ type: "function_result", call_id: id, name, result: report(cities[at]) }));
    const told = await ask([asked, ...steps, ...results], { tools });
    return { cities, text: told.at(-1).content[0].text };
  },

  async place() {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, country: { type: "string" }, landmarks: { type: "array", items: { type: "string" } } },
      required: ["city", "country", "landmarks"],
    };
    const steps = await ask(question, { response_format: { type: "text", mime_type: "application/json", schema } });
    return JSON.parse(steps.at(-1).content[0].text);
  },
});
