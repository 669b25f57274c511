// The openai SDK for Node: create, parse and stream.

import { z } from "zod";
import { cut, headers, origin, question, report, run, streams } from "./job.mjs";

const sdk = process.argv[3]; // the major versions are packages of their own
const { default: OpenAI } = await import(sdk);
const { zodTextFormat } = await import(`${sdk}/helpers/zod`);
const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: "none", defaultHeaders: headers });

const Place = z.object({ city: z.string(), country: z.string(), landmarks: z.array(z.string()) });
const tools = [
  {
    type: "function",
    name: "get_weather",
    description: "The weather of a city",
    parameters: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
    strict: true,
  },
];

async function ask(input, more = {}) {
  const request = { model: "demo", input, ...more };
  if (!streams) return client.responses.parse(request);
  const stream = client.responses.stream(request);
  let text = "";
  stream.on("response.output_text.delta", (event) => (text += event.delta));
  const response = await stream.finalResponse();
  if (text !== response.output_text) throw new Error("the deltas are not the text");
  return response;
}

await run({
  async cite() {
    const response = await ask(question);
    const { annotations } = response.output.at(-1).content[0];
    const cited = annotations.filter((annotation) => annotation.type === "url_citation");
    return cut(response.output_text, cited.map((one) => [one.url, one.start_index, one.end_index]));
  },

  async weather() {
    const input = [{ role: "user", content: question }];
    const { output } = await ask(input, { tools });
    const calls = output.filter((item) => item.type === "function_call");
    const cities = calls.map((call) => JSON.parse(call.arguments).city);
    const results = calls.map(({ call_id }, at) => ({ type: "function_call_output", call_id, output: report(cities[at]) }));
    const told = await ask([...input, ...output, ...results], { tools });
    return { cities, text: told.output_text };
  },

  async place() {
    return (await ask(question, { text: { format: zodTextFormat(Place, "place") } })).output_parsed;
  },
});
