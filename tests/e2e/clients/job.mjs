// What the clients on Node share: the job they are given, and how they say what came of it.

const given = JSON.parse(process.argv[2]);

export const { origin, vendor, streams, question } = given;
export const headers = { "x-provider": vendor };
export const report = (city) => `${city}: sunny, 21 °C`;

// Cuts the text by indexes that count code points, which JavaScript's own slice does not.
export function cut(text, spans) {
  const characters = Array.from(text);
  const slice = (start, end) => characters.slice(start, end).join("");
  return { text, citations: spans.map(([url, start, end]) => [url, slice(0, start), slice(start, end)]) };
}

export async function run(jobs) {
  console.log(JSON.stringify(await jobs[given.job]()));
}
