// The Vercel AI SDK with one of its providers.

import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { cut, headers, origin, question, report, run, streams } from "./job.mjs";

const PROVIDERS = {
  openai: {
    model: () => createOpenAI({ baseURL: `${origin}/v1`, apiKey: "none", headers }).responses("demo"),
    // Else the SDK refers to earlier reasoning by its id, and the gateway keeps none.
    providerOptions: { openai: { store: false } },
    cite(text, content) {
      const { citations } = content.find((part) => part.type === "text");
      const cited = citations.filter(({ source }) => source.sourceType === "url");
      return cut(text, cited.map(({ source, startIndex, endIndex }) => [source.url, startIndex, endIndex]));
    },
  },
  google: {
    model: () => createGoogle({ baseURL: `${origin}/v1beta`, apiKey: "none", headers }).interactions("demo"),
    providerOptions: {},
    // This provider tells what is cited, not where.
    cite(text, content) {
      const cited = content.filter((part) => part.type === "source" && part.sourceType === "url");
      return { text, citations: cited.map(({ url }) => [url]) };
    },
  },
};

const { model, providerOptions, cite } = PROVIDERS[process.argv[3]];

async function ask(more = {}) {
  const request = { model: model(), prompt: question, providerOptions, ...more };
  if (!streams) return generateText(request);
  const failures = [];
  const result = streamText({ ...request, onError: ({ error }) => failures.push(error) });
  await result.consumeStream();
  if (failures.length > 0) throw failures[0];
  return { text: await result.text, content: await result.content, output: more.output && (await result.output) };
}

await run({
  async cite() {
    const { text, content } = await ask();
    return cite(text, content);
  },

  async weather() {
    const cities = [];
    const get_weather = tool({
      description: "The weather of a city",
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        cities.push(city);
        return report(city);
      },
    });
    const { text } = await ask({ tools: { get_weather }, stopWhen: stepCountIs(3) });
    return { cities, text };
  },

  async place() {
    const schema = z.object({ city: z.string(), country: z.string(), landmarks: z.array(z.string()) });
    return (await ask({ output: Output.object({ schema }) })).output;
  },
});
