// What the clients on Node share: the job they are given, and how they say what came of it.

const given = JSON.parse(process.argv[2]);

export const { origin, vendor, streams, question } = given;
export const headers = { "x-provider": vendor, "x-dragoman-offsets": "utf16" }; // the unit that slice counts in
export const report = (city) => `${city}: sunny, 21 °C`;

// Cuts the text by [url, start, end].
export function cut(text, spans) {
  return { text, citations: spans.map(([url, start, end]) => [url, text.slice(0, start), text.slice(start, end)]) };
}

export async function run(jobs) {
  console.log(JSON.stringify(await jobs[given.job]()));
}
