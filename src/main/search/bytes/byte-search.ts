import { byteScanModule } from './byte-scan-module'

/** How often a byte stands in logs and sources, roughly, the commonest first; what is not named is rarer than all of it. */
const commonest = ' etnaoirsl"\\,cdupm_hfg.01b:-/(){}=;v2yx3wk4568>79zqj*#\'[]<&|+!@%$?'
const ranks = new Uint8Array(256)
for (let i = 0; i < commonest.length; i++) ranks[commonest.charCodeAt(i)] = 255 - i

const pageBytes = 64 * 1024
/** A needle's bytes, and its masks behind them. */
const slotBytes = 2048
const maskOffset = slotBytes / 2
/** What the module may read behind the end of what it searches. */
const slackBytes = 4096
/** The module's numbers have a sign. */
const mostBytes = 2 ** 31 - 2 * pageBytes
/** Bit that tells an ASCII letter's two cases apart. */
const caseBit = 0x20

/** Length of the longest needle, in bytes. */
export const longestNeedle = 1000
/** Number of needles that one search can have. */
export const mostNeedles = pageBytes / slotBytes

/** What of WebAssembly is used here; Node's own types do not have it. */
interface WebAssemblyHere {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (size: {
    readonly initial: number
  }) => {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
}

// Every Node and Electron that this runs on has it.
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyHere }

/** The functions of byte-scan.wat. */
interface ByteScan {
  readonly find: (
    from: number,
    end: number,
    needle: number,
    length: number,
    rarest: number,
    second: number,
  ) => number
  readonly count: (from: number, end: number, byte: number) => number
  readonly suspect: (from: number, end: number) => number
}

interface Needle {
  readonly length: number
  readonly rarest: number
  readonly second: number
}

let compiled: object | undefined

/**
 * Returns a search of bytes by the processor's vectors; undefined where it has none that WebAssembly can use.
 *
 * @param isSupported for tests
 */
export function createByteSearch(isSupported = WebAssembly.validate): ByteSearch | undefined {
  const bytes = Buffer.from(byteScanModule, 'base64')
  if (!isSupported(bytes)) return undefined
  compiled ??= new WebAssembly.Module(bytes)
  return new ByteSearch(compiled)
}

/**
 * A search of bytes in memory of its own: some 15 GB a second and core. Offsets are those of the memory that `reserve` gave
 * last.
 */
export class ByteSearch {
  private readonly memory = new WebAssembly.Memory({ initial: 1 })
  private readonly scan: ByteScan
  private needles: Needle[] = []

  constructor(module: object) {
    const { exports } = new WebAssembly.Instance(module, { e: { m: this.memory } })
    this.scan = exports as unknown as ByteScan // byte-scan.wat exports them, and a test builds it from that.
  }

  /**
   * Returns memory for bytes that are searched next, so that they are read into it; what it returned before is lost.
   *
   * @throws RangeError for more than the module can count
   */
  reserve(length: number): Buffer {
    if (length > mostBytes) throw new RangeError('A line is too long to be searched.')
    const pages = Math.ceil((pageBytes + length + slackBytes) / pageBytes)
    const missing = pages - this.memory.buffer.byteLength / pageBytes
    if (missing > 0) this.memory.grow(missing)
    return Buffer.from(this.memory.buffer, pageBytes, length)
  }

  /** Sets what is searched: folded ASCII texts, of which JSON escapes nothing; `longestNeedle` and `mostNeedles` at most. */
  setNeedles(texts: readonly string[]): void {
    this.needles = texts.map((text, number) => {
      const bytes = Buffer.from(text, 'latin1')
      const masks = bytes.map((byte) => (byte >= 0x61 && byte <= 0x7a ? caseBit : 0))
      new Uint8Array(this.memory.buffer, number * slotBytes).set(bytes)
      new Uint8Array(this.memory.buffer, number * slotBytes + maskOffset).set(masks)
      const order = [...bytes.keys()].sort((a, b) => rankOf(bytes, a) - rankOf(bytes, b))
      const rarest = order[0] ?? 0
      const second = order.find((at) => bytes[at] !== bytes[rarest]) ?? order[1] ?? rarest
      return { length: bytes.length, rarest, second }
    })
  }

  /** The place of a needle's next occurrence in `from` to `end`, in any case; -1 where there is none. */
  find(number: number, from: number, end: number): number {
    const needle = this.needles[number]
    if (needle === undefined) return -1
    const { length, rarest, second } = needle
    return placed(
      this.scan.find(pageBytes + from, pageBytes + end, number * slotBytes, length, rarest, second),
    )
  }

  /** Returns true where the needles `first` to `last`, without that one, are all in `from` to `end`. */
  hasAll(first: number, last: number, from: number, end: number): boolean {
    for (let number = first; number < last; number++)
      if (this.find(number, from, end) < 0) return false
    return true
  }

  /** Counts a byte. */
  count(from: number, end: number, byte: number): number {
    return this.scan.count(pageBytes + from, pageBytes + end, byte)
  }

  /** The next byte that is not ASCII, or that begins `\u`; -1 where there is none. */
  suspect(from: number, end: number): number {
    return placed(this.scan.suspect(pageBytes + from, pageBytes + end))
  }
}

function placed(at: number): number {
  return at < 0 ? -1 : at - pageBytes
}

function rankOf(bytes: Uint8Array, at: number): number {
  return ranks[bytes[at] ?? 0] ?? 0
}
