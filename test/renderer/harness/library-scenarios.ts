import { libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import type { SourceId } from '../../../src/shared/model/conversation/sources'
import { type MemoryContext, summaryOf } from './memory-home'
import { answered, rowsOf, said } from './rows'

const hourMs = 3_600_000

/** A source, the projects of its conversations one after the other, and what their titles begin with. */
const systems: readonly (readonly [SourceId, readonly (string | null)[], readonly string[]])[] = [
  ['chibi', [null], ['import-gap', 'release-notes', 'seed-catalogue', 'house-rules']],
  [
    'voicemode',
    ['/home/mira/garden', '/home/mira/lines/tram/docs', '/home/mira/station/docs'],
    ['What should grow by the wall?', 'Öffne die Fahrpläne', 'how long is the night'],
  ],
  ['cycod', [null], ['Where does the gap start?', 'Explain the parser', '42 ways to sort']],
  ['fluux', [null], ['Port the parser to streams', '把旧的日志格式迁移', '#general']],
]

/** Conversations of four systems in turn, an hour between two; the first is the newest. */
export function systemContexts(number: number): readonly MemoryContext[] {
  const now = Date.now()
  return Array.from({ length: number }, (_, index) => {
    const [source, projects, titles] = systems[index % systems.length] ?? systems[0] ?? []
    if (source === undefined) throw new Error('there are no systems')
    const turn = Math.floor(index / systems.length)
    const title = `${titles?.[turn % titles.length]} ${index}`
    const summary = summaryOf(title, {
      source,
      key: libraryKeyOf(source, source === 'chibi' ? title.replaceAll(' ', '-') : `room-${index}`),
      project: projects?.[turn % projects.length] ?? null,
      updated: new Date(now - index * hourMs).toISOString(),
      ...(index === 5 ? { gone: true as const } : {}),
    })
    return { summary, rows: rowsOf([said(`About ${title}`), answered('An answer.')]) }
  })
}

/** Conversations of cycod that share a beginning and a title; each goes on in words of its own. */
export function forkContexts(number: number): readonly MemoryContext[] {
  const now = Date.now()
  return Array.from({ length: number }, (_, index) => {
    const summary = summaryOf('Find large files', {
      source: 'cycod',
      key: libraryKeyOf('cycod', `chat-history-${1_754_437_000_000 + index * 100_000}`),
      updated: new Date(now - (30 + index * 5) * hourMs).toISOString(),
    })
    const begin = [said('find large files'), answered('Which folder?')]
    return {
      summary,
      rows: rowsOf([...begin, said(`Look in folder ${index} as well`), answered('Done.')]),
      family: 'find large files',
    }
  })
}
