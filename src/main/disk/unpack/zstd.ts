import { ZSTDDecoder } from 'zstddec/stream'

/** The exports of the library's WebAssembly module, of zstd's own C interface. Numbers are addresses and sizes. */
interface ZstdExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  malloc(size: number): number
  free(address: number): void
  ZSTD_createDCtx(): number
  ZSTD_freeDCtx(context: number): number
  ZSTD_decompressStream(context: number, output: number, input: number): number
}

/** Sizes from here on are errors: minus one to minus 120, as zstd's ZSTD_isError has them. */
const firstError = 2 ** 32 - 120

/** zstd's ZSTD_ErrorCode. */
const reasons: Readonly<Record<number, string>> = {
  10: 'the data is not zstd',
  14: 'it uses an unsupported feature',
  16: 'it needs more than 128 MB of memory to be unpacked',
  20: 'its content is corrupted',
  22: 'its checksum does not match',
  24: 'its content is corrupted',
  32: 'it needs a dictionary that is missing',
  64: 'there is not enough memory',
}

/** The largest block of a frame: what one step gives at most. */
const outputBytes = 128 * 1024

/** Of the whole thread, as the library's own state is. */
let loading: Promise<ZstdExports> | undefined

/**
 * zstd's own decoder, compiled to WebAssembly; loaded at the first call, once in each thread.
 *
 * The library's streaming function does not end at a failure and does not free what it holds when it is left early. So
 * its module is taken as it is made, and driven here.
 */
function loadZstd(): Promise<ZstdExports> {
  loading ??= (async () => {
    const decoder = new ZSTDDecoder()
    const library = decoder._init
    let exports: ZstdExports | undefined
    decoder._init = (result) => {
      library(result)
      exports = result.instance.exports as unknown as ZstdExports // Of the pinned version; tests call each of them.
    }
    await decoder.init()
    if (exports === undefined) throw new Error('zstd was loaded before')
    return exports
  })()
  return loading
}

/** Starts to unpack a sequence of frames. */
export async function openZstd(): Promise<ZstdStream> {
  return new ZstdStream(await loadZstd())
}

/**
 * A stream of frames that is being unpacked. The code that opens it closes it: the engine does not free its memory.
 */
export class ZstdStream {
  /** True before the first frame, and behind the end of each. */
  isBetweenFrames = true
  private readonly zstd: ZstdExports
  private readonly context: number
  private readonly output: number
  /** Two structures of zstd: address, size and position of the output, then of the input. */
  private readonly buffers: number

  constructor(zstd: ZstdExports) {
    this.zstd = zstd
    this.context = zstd.ZSTD_createDCtx()
    this.output = zstd.malloc(outputBytes)
    this.buffers = zstd.malloc(24)
  }

  /** Unpacks a piece: what it gives, in order, each in memory of its own. Returns why it failed; then nothing may follow. */
  *unpack(piece: Uint8Array): Generator<Uint8Array, string | undefined> {
    const { zstd, buffers } = this
    const input = zstd.malloc(piece.length)
    try {
      new Uint8Array(zstd.memory.buffer).set(piece, input)
      let given = 0
      let taken = 0
      // Also without input, as long as the output was filled: there may be more of it. Not at a frame's end, where the
      // call would begin another frame.
      do {
        new Uint32Array(zstd.memory.buffer, buffers, 6).set([
          this.output,
          outputBytes,
          0,
          input,
          piece.length,
          taken,
        ])
        const hint = zstd.ZSTD_decompressStream(this.context, buffers, buffers + 12) >>> 0
        if (hint >= firstError) {
          const code = 2 ** 32 - hint
          return reasons[code] ?? `zstd's error ${code}`
        }
        this.isBetweenFrames = hint === 0
        // Anew: the memory may have grown, and the views of it with it.
        const state = new Uint32Array(zstd.memory.buffer, buffers, 6)
        given = state[2] ?? 0
        taken = state[5] ?? 0
        if (given > 0) yield new Uint8Array(zstd.memory.buffer, this.output, given).slice()
      } while (taken < piece.length || (given === outputBytes && !this.isBetweenFrames))
      return undefined
    } finally {
      zstd.free(input)
    }
  }

  close(): void {
    this.zstd.ZSTD_freeDCtx(this.context)
    this.zstd.free(this.output)
    this.zstd.free(this.buffers)
  }
}
