import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { type MemoryContext, summaryOf } from './memory-home'
import { answered, called, type RowDraft, returned, rowsOf, said } from './rows'

const daySeconds = 86_400

/** Conversations of two systems in which the same words stand in every kind of text. */
export function searchContexts(): MemoryContext[] {
  const now = Math.floor(Date.now() / 1000)
  return [
    contextOf('nightly-import-skips-an-hour', now - 1800, [
      said(
        'The 02:30 import skipped an hour on the night of the clock change. Is the table in UTC?',
      ),
      answered(
        'Times are now compared in UTC. The clock change no longer makes the second pass look older than the first.',
      ),
      called('bash', { command: 'psql -c "select max(at) from seen"' }, 'a'),
      returned(
        'bash',
        'stored 86,400 rows in all partitions, of which some were late\nlast seen 2026-10-25T00:59:00Z (utc) before the clock change, 3,600 rows pending',
        'a',
      ),
    ]),
    contextOf('walk-through-for-the-demo', now - 7200, [
      said(
        'So the graph is in UTC, otherwise the night of the clock change has a hole in it, and nobody wants to explain that.',
      ),
    ]),
    contextOf(
      'Bisect: timeline drifts after resume',
      now - 3 * daySeconds,
      [
        answered(
          'First bad commit: it keeps wall time. Suspend over a clock change, compare with UTC.',
        ),
        called(
          'bash',
          { command: 'git bisect run npm test -- -t "clock change" --env TZ=UTC' },
          'b',
        ),
        returned(
          'bash',
          'at resume(): monotonic 81,204 s, wall 84,804 s, utc offset changed by a clock change',
          'b',
        ),
        returned(
          'bash',
          'FAIL drift.spec.ts \u203a keeps UTC ticks across a clock change while suspended (expected 0, got 3600)',
          'b2',
        ),
      ],
      { key: LibraryKey.parse('cycod:chat-history-1762034'), source: 'cycod', project: 'timeline' },
    ),
    contextOf(
      '把旧的日志格式迁移到 JSONL',
      now - 9 * daySeconds,
      [returned('bash', '旧文件使用本地时间，clock change 当晚有重复行；新格式一律为 UTC', 'c')],
      {
        key: LibraryKey.parse('cycod:chat-history-1761034'),
        source: 'cycod',
        project: 'harbour-tides',
      },
    ),
    contextOf('what-clock-change-means', now - 16 * daySeconds, [
      said('Low water was an hour off: are we printing UTC on the board?'),
      answered('The planner cannot use the UTC index: the clock change check wraps the column.'),
      said('<b>clock change</b> in UTC \u202ereversed\u202c and a bell \u0007'),
    ]),
  ]
}

/** One word in very many entries. */
export function manyHits(count: number): MemoryContext[] {
  const now = Math.floor(Date.now() / 1000)
  return Array.from({ length: Math.ceil(count / 20) }, (_, index) =>
    contextOf(
      `haystack-${String(index).padStart(3, '0')}`,
      now - index * 3600,
      Array.from({ length: Math.min(20, count - index * 20) }, (_, row) =>
        said(`There is a needle in row ${row} of stack ${index}.`),
      ),
    ),
  )
}

/** @param endsAt Unix seconds of the last entry, as of the conversation */
function contextOf(
  title: string,
  endsAt: number,
  drafts: readonly RowDraft[],
  more: Parameters<typeof summaryOf>[1] = {},
): MemoryContext {
  return {
    summary: summaryOf(title, {
      updated: new Date(endsAt * 1000).toISOString(),
      entries: drafts.length,
      ...more,
    }),
    rows: rowsOf(drafts, { context: title, startsAt: endsAt - (drafts.length - 1) * 20 }),
  }
}
