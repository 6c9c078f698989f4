import type { Random } from '../../bench/support/random'

const lineFeed = 0x0a

/** What stands in files that were cut, glued, edited, copied or lost power. */
const strange: readonly [Buffer, ...Buffer[]] = [
  Buffer.from('\n'),
  Buffer.from('\n'),
  Buffer.from('\r'),
  Buffer.from('\r\n'),
  Buffer.from('\n \t\n'),
  Buffer.from('\0'),
  Buffer.alloc(40),
  Buffer.from('\ufeff'),
  Buffer.from('\u2028'),
  Buffer.from('\u2029'),
  Buffer.from('\u0085'),
  Buffer.from([0xff]),
  Buffer.from([0xc3]),
  Buffer.from([0x80]),
  Buffer.from([0xed, 0xa0, 0xbd]),
  Buffer.from('{'),
  Buffer.from('}'),
  Buffer.from('"'),
  Buffer.from('\\'),
  Buffer.from(' '),
  Buffer.from('1'),
]

type Damage = (random: Random, bytes: Buffer) => Buffer

const damages: readonly [Damage, ...Damage[]] = [
  flipByte,
  deleteBytes,
  insertStrange,
  insertStrange,
  insertAtLineStart,
  glueLines,
  glueLines,
  repeatHalfLine,
  swapLines,
  truncate,
  zeroBytes,
]

/** Does something to a file that a disk, a crash or a person may do: another one each time, the same for a seed. */
export function damage(random: Random, bytes: Buffer): Buffer {
  return bytes.length === 0 ? bytes : random.pick(damages)(random, bytes)
}

function flipByte(random: Random, bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes)
  const at = random.below(bytes.length)
  flipped[at] =
    random.below(2) === 0 ? (bytes[at] ?? 0) ^ (1 << random.below(8)) : random.below(256)
  return flipped
}

function deleteBytes(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length)
  return spliced(bytes, at, at + 1 + random.below(20), empty)
}

function insertStrange(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  return spliced(bytes, at, at, random.pick(strange))
}

function insertAtLineStart(random: Random, bytes: Buffer): Buffer {
  const at = someLine(random, bytes)[0]
  return spliced(bytes, at, at, random.pick(strange))
}

/** As after a write that was cut off before its line feed. */
function glueLines(random: Random, bytes: Buffer): Buffer {
  const [, end] = someLine(random, bytes)
  return spliced(bytes, end, end + 1, empty)
}

/** As after a write that was cut off and tried again. */
function repeatHalfLine(random: Random, bytes: Buffer): Buffer {
  const [start, end] = someLine(random, bytes)
  const half = bytes.subarray(start, start + random.below(end - start + 1))
  return spliced(bytes, start, start, half)
}

function swapLines(random: Random, bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  const [a, b] = [random.below(lines.length), random.below(lines.length)]
  const [one = '', two = ''] = [lines[a], lines[b]]
  lines[a] = two
  lines[b] = one
  return Buffer.from(lines.join('\n'), 'latin1')
}

function truncate(random: Random, bytes: Buffer): Buffer {
  return bytes.subarray(0, random.below(bytes.length))
}

/** As a power failure leaves it. */
function zeroBytes(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length)
  const to = Math.min(bytes.length, at + 1 + random.below(60))
  return spliced(bytes, at, to, Buffer.alloc(to - at))
}

const empty = Buffer.alloc(0)

function spliced(bytes: Buffer, from: number, to: number, between: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)])
}

/** Where a line begins, and where its line feed stands or the file ends. */
function someLine(random: Random, bytes: Buffer): readonly [start: number, end: number] {
  const at = random.below(bytes.length)
  const start = at === 0 ? 0 : bytes.lastIndexOf(lineFeed, at - 1) + 1
  const feed = bytes.indexOf(lineFeed, start)
  return [start, feed === -1 ? bytes.length : feed]
}
