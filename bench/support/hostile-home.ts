import fs from 'node:fs/promises'
import path from 'node:path'

const mebibyte = 2 ** 20

/** A line as chibi writes it. */
function line(fields: Readonly<Record<string, unknown>>): string {
  const said = { from: 'user', to: 'a', content: 'hello', entry_type: 'message', role: 'user' }
  return JSON.stringify({ id: 'a', timestamp: 1_780_000_000, ...said, ...fields })
}

const filled = (megabytes: number, text: string) =>
  Buffer.alloc(Math.floor((megabytes * mebibyte) / text.length) * text.length, text)

const around = (fields: Readonly<Record<string, unknown>>, filling: Buffer) => {
  const [head = '', tail = ''] = line(fields).split('"HERE"')
  return Buffer.concat([Buffer.from(head), filling, Buffer.from(tail)])
}

/** Each a transcript of one line between two others, by the name of its context. */
const lines: Readonly<Record<string, () => Buffer>> = {
  brackets: () => filled(30, '['),
  braces: () => filled(30, '{'),
  glued: () => filled(95, line({ content: 'words '.repeat(20) })),
  'glued-behind-torn': () => Buffer.concat([Buffer.from('{"id":["'), filled(95, line({}))]),
  'torn-inside-torn': () => filled(30, '{"a":'),
  'trading-places': () => Buffer.concat([Buffer.from('{"{":'), filled(60, '":",",":')]),
  'long-text': () =>
    around(
      { content: 'HERE' },
      Buffer.concat([Buffer.from('"'), filled(64, 'word '), Buffer.from('"')]),
    ),
  'long-escapes': () =>
    around(
      { content: 'HERE' },
      Buffer.concat([Buffer.from('"'), filled(64, '\\u00fc'), Buffer.from('"')]),
    ),
  'long-metadata': () =>
    around(
      { metadata: { a: 'HERE' } },
      Buffer.concat([Buffer.from('["'), filled(60, `${'x'.repeat(4000)}","`), Buffer.from('"]')]),
    ),
  'many-values': () =>
    around(
      { metadata: { a: 'HERE' } },
      Buffer.concat([Buffer.from('[0'), filled(60, ',0'), Buffer.from(']')]),
    ),
  'just-enough-values': () =>
    around(
      { metadata: 'HERE' },
      Buffer.concat([
        Buffer.from('{"a":0'),
        Buffer.from(Array.from({ length: 499_000 }, (_, n) => `,"${n}k":0`).join('')),
        Buffer.from('}'),
      ]),
    ),
  deep: () =>
    around({ metadata: { a: 'HERE' } }, Buffer.concat([filled(0.45, '['), filled(0.45, ']')])),
  // As deep as a value may be, and then long.
  'not-too-deep': () =>
    around(
      { metadata: { a: 'HERE' } },
      Buffer.concat([filled(0.23, '['), filled(0.5, '0,'), Buffer.from('0'), filled(0.23, ']')]),
    ),
  zeros: () => Buffer.alloc(90 * mebibyte),
  blanks: () => filled(90, ' '),
  'empty-lines': () => filled(3, '\n'),
  digits: () => around({ timestamp: 'HERE' }, filled(60, '1')),
  'too-long': () => filled(300, 'x'),
}

/** Documents of chibi's oldest versions, by the name of their context. */
const documents: Readonly<Record<string, readonly [name: string, bytes: () => Buffer]>> = {
  document: [
    'context.json',
    () =>
      Buffer.concat([
        Buffer.from('{"messages":[{"role":"user","content":"a"}'),
        filled(60, `,{"role":"user","content":"${'words '.repeat(200)}"}`),
        Buffer.from(']}'),
      ]),
  ],
  'torn-document': ['context.json', () => filled(60, '{"messages":[')],
  page: ['transcript.md', () => filled(60, `[USER]: ${'words '.repeat(200)}\n\n`)],
}

/** The contexts that `writeHostileHome` makes. */
export const hostileContexts: readonly string[] = [...Object.keys(lines), ...Object.keys(documents)]

/** Writes a chibi home of files that are as slow to read as any can be: a gigabyte and more. */
export async function writeHostileHome(home: string): Promise<void> {
  const folder = (name: string) => path.join(home, 'contexts', name)
  for (const [name, hostile] of Object.entries(lines)) {
    await fs.mkdir(path.join(folder(name), 'transcript'), { recursive: true })
    const feed = Buffer.from('\n')
    const ends = [line({ id: 'first' }), line({ id: 'last' })].map((one) => Buffer.from(one))
    const whole = [ends[0], hostile(), ends[1]].flatMap((one) => (one ? [one, feed] : []))
    await fs.writeFile(path.join(folder(name), 'transcript/active.jsonl'), Buffer.concat(whole))
  }
  for (const [name, [file, bytes]] of Object.entries(documents)) {
    await fs.mkdir(folder(name), { recursive: true })
    await fs.writeFile(path.join(folder(name), file), bytes())
  }
}
