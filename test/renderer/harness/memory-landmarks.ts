import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import type { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { TranscriptRow } from '../../../src/shared/model/conversation/transcript'
import { landmarkOf } from '../../../src/shared/model/landmarks/landmark-of'
import type { NumberedPlace } from '../../../src/shared/model/landmarks/landmarks'

/** Landmarks over a home in memory, in one slice. */
export function memoryLandmarks(home: {
  rowsOf(key: LibraryKey): readonly TranscriptRow[]
  gate(): Promise<void>
}): Handlers<Contract['landmarks']> {
  const placesOf = (key: LibraryKey) => {
    const rows = home.rowsOf(key)
    let before = 0
    const lines = rows.map((row) => {
      const { length } = row.type === 'entry' ? row.entry : row.damaged
      before += length
      return before - length
    })
    return rows.map((row, at): NumberedPlace => {
      const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
      const entry = row.type === 'entry' ? { entry: row.entry.id } : {}
      const time = row.type === 'entry' ? row.entry.timestamp : null
      const line = lines[at] ?? 0
      return { number: at + 1, file, offset, bytes: line, ...entry, at: time }
    })
  }
  return {
    async list({ key, from }) {
      await home.gate()
      const places = placesOf(key)
      const landmarks = home.rowsOf(key).flatMap((row, at) => {
        const found = landmarkOf(row)
        const place = places[at]
        return found === undefined || place === undefined ? [] : [{ ...place, ...found }]
      })
      const entries = places.length
      return {
        reading: 'memory',
        from,
        landmarks: landmarks.slice(from),
        entries,
        part: 1,
        isLast: true,
      }
    },
    async places({ key, wanted }) {
      await home.gate()
      const places = placesOf(key)
      return wanted.map((one) => {
        const found = places.find((place) =>
          'number' in one
            ? place.number === one.number
            : 'time' in one
              ? (place.at ?? Number.NaN) >= one.time
              : 'file' in one
                ? place.offset === one.offset && place.file === one.file
                : place.entry === one.entry,
        )
        return found ?? null
      })
    },
  }
}
