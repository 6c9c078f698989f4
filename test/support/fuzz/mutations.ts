import type { Random } from '../../../bench/support/random'
import { damage } from '../damage'
import { mutatedJson } from './json-mutations'

/** Bytes that something was done to, and what that was, for the words of a failure. */
export interface Mutated {
  readonly bytes: Buffer
  readonly how: string
}

type Change = (random: Random, bytes: Buffer) => Buffer

/** What a bad disk, a bad program or a bad person does to any bytes. */
const ofBytes: readonly [string, Change][] = [
  ['damage', damage],
  ['cut', (random, bytes) => bytes.subarray(0, random.below(bytes.length))],
  ['behead', (random, bytes) => bytes.subarray(random.below(bytes.length))],
  ['double', doubleStretch],
  ['fill', fillStretch],
  ['number', hugeNumber],
  ['page', changePage],
  ['noise', noise],
  ['flip', flipBit],
]

/** What happens to texts, and to JSON that is written by hand. */
const ofText: readonly [string, Change][] = [
  [
    'line twice',
    (random, bytes) => withLines(random, bytes, (lines, at) => [lines[at], lines[at]]),
  ],
  ['no line', (random, bytes) => withLines(random, bytes, () => [])],
  ['lines swapped', swapLines],
  ['lines glued', glueLines],
  ['half a line', halfLine],
  ['huge digits', hugeDigits],
  ['deep', deepInside],
  ['surrogate', loneSurrogate],
  ['CRLF', (_, bytes) => latin(text(bytes).replaceAll('\n', '\r\n'))],
  ['UTF-16', (_, bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')],
]

/** Changes a file of any kind once: its bytes, its lines, or one value of its JSON. The same for the same numbers. */
export function mutated(random: Random, bytes: Buffer): Mutated {
  if (bytes.length === 0) return { bytes: Buffer.from([random.below(256)]), how: 'a byte' }
  const kind = random.below(4)
  const isText = !bytes.subarray(0, 4096).includes(0)
  if (isText && kind > 1) {
    const changed = mutatedJson(random, bytes)
    if (changed !== undefined) return changed
  }
  const [how, change] = isText && kind === 1 ? drawn(random, ofText) : drawn(random, ofBytes)
  return { bytes: change(random, bytes), how }
}

function drawn<T>(random: Random, list: readonly T[]): T {
  const one = list[random.below(list.length)]
  if (one === undefined) throw new Error('nothing to draw from')
  return one
}

function flipBit(random: Random, bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes)
  const at = random.below(bytes.length)
  flipped[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  return flipped
}

function stretch(random: Random, bytes: Buffer): readonly [from: number, to: number] {
  const from = random.below(bytes.length)
  const most = random.pick([4, 64, 1024, 8192])
  return [from, Math.min(bytes.length, from + 1 + random.below(most))]
}

function doubleStretch(random: Random, bytes: Buffer): Buffer {
  const [from, to] = stretch(random, bytes)
  const at = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, to), bytes.subarray(at)])
}

function fillStretch(random: Random, bytes: Buffer): Buffer {
  const [from, to] = stretch(random, bytes)
  return Buffer.from(bytes).fill(random.pick([0, 0xff, 0x20, 0x0a, 0x7b]), from, to)
}

/** As a length or an offset in a header of a binary file: nothing, negative, or more than there is. */
function hugeNumber(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  // Headers stand at the beginning, and those of archives at the end.
  const near = Math.min(bytes.length, 128)
  const from = random.pick([
    random.below(near),
    bytes.length - 1 - random.below(near),
    random.below(bytes.length),
  ])
  const values: readonly [number[], ...number[][]] = [
    [0, 0, 0, 0],
    [0xff, 0xff, 0xff, 0xff],
    [0x7f, 0xff, 0xff, 0xff],
    [0xff, 0xff, 0xff, 0x7f],
    [0x80, 0, 0, 0],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0, 0, 0, 0, 0, 0, 0, 0x80],
    [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
  ]
  for (const [n, byte] of random.pick(values).entries())
    if (from + n < changed.length) changed[from + n] = byte
  return changed
}

/** One page of a database is another, or nothing, or noise. */
function changePage(random: Random, bytes: Buffer): Buffer {
  const size = random.pick([512, 1024, 4096])
  const pages = Math.ceil(bytes.length / size)
  const changed = Buffer.from(bytes)
  const to = random.below(pages) * size
  const from = random.below(pages) * size
  const end = Math.min(bytes.length, to + size)
  const what = random.below(3)
  if (what === 0) return changed.fill(0, to, end)
  if (what === 1) return changed.fill(bytes.subarray(from, from + size), to, end)
  for (let at = to; at < end; at++) changed[at] = random.below(256)
  return changed
}

function noise(random: Random, bytes: Buffer): Buffer {
  const [from, to] = stretch(random, bytes)
  const changed = Buffer.from(bytes)
  for (let at = from; at < to; at++) changed[at] = random.below(256)
  return changed
}

/** Texts are changed as bytes: nothing else of them may become another. */
const text = (bytes: Buffer) => bytes.toString('latin1')
const latin = (chars: string) => Buffer.from(chars, 'latin1')

function withLines(
  random: Random,
  bytes: Buffer,
  instead: (lines: readonly string[], at: number) => readonly (string | undefined)[],
): Buffer {
  const lines: (string | undefined)[] = text(bytes).split('\n')
  const at = random.below(lines.length)
  lines.splice(at, 1, ...instead(lines.map(String), at))
  return latin(lines.join('\n'))
}

function swapLines(random: Random, bytes: Buffer): Buffer {
  const lines = text(bytes).split('\n')
  const [a, b] = [random.below(lines.length), random.below(lines.length)]
  const [one = '', two = ''] = [lines[a], lines[b]]
  lines[a] = two
  lines[b] = one
  return latin(lines.join('\n'))
}

function glueLines(random: Random, bytes: Buffer): Buffer {
  const lines = text(bytes).split('\n')
  const at = random.below(lines.length)
  return latin(
    [...lines.slice(0, at), lines.slice(at, at + 2).join(''), ...lines.slice(at + 2)].join('\n'),
  )
}

function halfLine(random: Random, bytes: Buffer): Buffer {
  return withLines(random, bytes, (lines, at) => {
    const line = lines[at] ?? ''
    return [line.slice(0, random.below(line.length + 1)), line]
  })
}

function hugeDigits(random: Random, bytes: Buffer): Buffer {
  const numbers = [...text(bytes).matchAll(/-?\d+(?:\.\d+)?/g)]
  if (numbers.length === 0) return bytes
  const { 0: old, index } = drawn(random, numbers)
  const next = random.pick([
    '-1',
    '1e999',
    '9'.repeat(400),
    '-9223372036854775809',
    '0.1e-400',
    '00',
    '1e+',
  ])
  const all = text(bytes)
  return latin(all.slice(0, index) + next + all.slice(index + old.length))
}

function deepInside(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length)
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['<b>', '</b>'],
    ['> ', ''],
  ])
  const levels = random.pick([50, 2000, 20_000])
  const deep = open.repeat(levels) + close.repeat(random.below(2) * levels)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(deep), bytes.subarray(at)])
}

function loneSurrogate(random: Random, bytes: Buffer): Buffer {
  const quotes = [...text(bytes).matchAll(/"/g)]
  if (quotes.length === 0) return bytes
  const at = drawn(random, quotes).index + 1
  const one = random.pick([
    '\\ud83c',
    '\\udf31',
    '\\u0000',
    '\\ud83c\\ud83c',
    '\xed\xa0\xbd',
    '\\uD83',
  ])
  return Buffer.concat([bytes.subarray(0, at), latin(one), bytes.subarray(at)])
}
