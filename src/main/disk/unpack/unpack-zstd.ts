import { setImmediate } from 'node:timers/promises'
import type { DiskFile } from '../interface/disk'
import { type PackFormat, packedPieces } from './unpack-format'
import { measureArchive, type UnpackEnd, type UnpackOptions } from './unpack-measure'
import { openZstd } from './zstd'

/** Time after which the thread yields to other work: unpacking does not wait for anything by itself. */
const longestTurnMs = 8

/**
 * The zstd format: one or more frames and skippable frames, unpacked by zstd's own decoder, which checks its
 * checksums.
 */
export const zstdFormat: PackFormat = {
  async measure(packed, packedBytes) {
    const { taken: _, ...measured } = await measureArchive(unpack, 'zstd', packed, packedBytes)
    return measured
  },
  content: (packed, packedTo) => unpack(packed, packedTo, { isPart: true }),
}

async function* unpack(
  packed: DiskFile,
  to: number,
  options: UnpackOptions = {},
): AsyncGenerator<Uint8Array, UnpackEnd> {
  const stream = await openZstd()
  try {
    let turnEndsAt = performance.now() + longestTurnMs
    let taken = 0
    for await (const piece of packedPieces(packed, to, options.singlyFrom)) {
      const given = stream.unpack(piece)
      try {
        let next = given.next()
        for (; next.done !== true; next = given.next()) {
          yield next.value
          if (performance.now() < turnEndsAt) continue
          await setImmediate()
          turnEndsAt = performance.now() + longestTurnMs
        }
        if (next.value !== undefined) return { type: 'damaged', taken, reason: next.value }
      } finally {
        given.return(undefined)
      }
      taken += piece.length
    }
    const isWhole = stream.isBetweenFrames && taken > 0
    return { type: isWhole ? 'whole' : 'early', taken, reason: '' }
  } finally {
    stream.close()
  }
}
