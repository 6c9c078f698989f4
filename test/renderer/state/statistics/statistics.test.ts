import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createStatisticsStore } from '../../../../src/renderer/state/statistics/statistics'
import { daysOfRange } from '../../../../src/renderer/state/statistics/time-ranges'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type {
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../../../src/shared/model/statistics/answer'
import { sumStatistics } from '../../../../src/shared/model/statistics/statistics'
import { createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'
import { handClock } from '../support/hand-clock'

const nowMs = new Date(2026, 2, 11, 15).getTime()

function answerWith(read: number): StatisticsAnswer {
  return {
    statistics: sumStatistics([], []),
    longest: null,
    choices: { sources: [], projects: [], models: [] },
    reading: { read, total: 2, isDone: read === 2 },
    unread: [],
    unreadTotal: 0,
  }
}

/** The store over a main that answers when it is told to. */
function storeOf() {
  const asked: { question: StatisticsQuestion; answer(read: number): void; fail(): void }[] = []
  const marks: MarkQuestion[] = []
  const api = createMemoryApi({
    statistics: {
      read: (question) =>
        new Promise((resolve, reject) =>
          asked.push({
            question,
            answer: (read) => resolve(answerWith(read)),
            fail: () => reject(new AppError('unreadable', 'It cannot be read.')),
          }),
        ),
      async conversations(question) {
        marks.push(question)
        return {
          keys: [LibraryKey.parse('garden')],
          reading: { read: 1, total: 1, isDone: true },
          unread: 0,
        }
      },
    },
  })
  const clock = handClock(nowMs)
  const store = createStatisticsStore(createApi(api.transport), clock)
  return { asked, marks, clock, statistics: store.getState }
}

it('asks when the view opens and after changes, and nothing while it is closed', async () => {
  const { asked, statistics } = storeOf()
  statistics().foldChanged()
  expect(asked).toHaveLength(0)
  statistics().open()
  expect(asked.map(({ question }) => question)).toEqual([
    { filter: { from: '2025-12-22', until: '2026-03-11' }, step: 'week' },
  ])
  asked[0]?.answer(1)
  await quiet()
  expect([statistics().answer?.reading.read, statistics().isReading]).toEqual([1, false])
  statistics().foldChanged()
  expect(asked).toHaveLength(2)
  statistics().hide()
  asked[1]?.answer(2)
  await quiet()
  statistics().foldChanged()
  expect([asked.length, statistics().answer?.reading.read]).toEqual([2, 2])
})

it('looks again from time to time while the view is open', async () => {
  const { asked, clock, statistics } = storeOf()
  statistics().open()
  asked[0]?.answer(2)
  await quiet()
  clock.pass(20_000)
  expect(asked).toHaveLength(2)
  asked[1]?.answer(2)
  await quiet()
  clock.pass(20_000)
  expect(asked).toHaveLength(3)
  statistics().hide()
  clock.pass(60_000)
  expect(asked).toHaveLength(3)
})

it('asks once more for changes that come while an answer is on its way, which is not dropped', async () => {
  const { asked, statistics } = storeOf()
  statistics().open()
  statistics().foldChanged()
  statistics().foldChanged()
  expect(asked).toHaveLength(1)
  asked[0]?.answer(1)
  await quiet()
  expect([asked.length, statistics().answer?.reading.read]).toEqual([2, 1])
})

it('drops the answer to an earlier choice, and keeps numbers when a call fails', async () => {
  const { asked, statistics } = storeOf()
  statistics().open()
  statistics().setRange('all')
  statistics().choose({ source: 'cycod', project: null })
  expect(asked[2]?.question).toEqual({ filter: { source: 'cycod', project: null } })
  asked[2]?.answer(2)
  await quiet()
  asked[0]?.answer(1)
  await quiet()
  expect(statistics().answer?.reading.read).toBe(2)
  statistics().foldChanged()
  asked[3]?.fail()
  await quiet()
  expect([statistics().failure?.message, statistics().answer?.reading.read]).toEqual([
    'It cannot be read.',
    2,
  ])
  void statistics().read()
  asked[4]?.answer(1)
  await quiet()
  expect([statistics().failure, statistics().answer?.reading.read]).toEqual([undefined, 1])
})

it('finds a mark’s conversations by the question that the numbers answer, not by a later one', async () => {
  const { asked, marks, statistics } = storeOf()
  const mark = { type: 'tool', tool: 'look', isFailed: true } as const
  expect(await statistics().conversationsOf(mark)).toBeUndefined()
  statistics().open()
  asked[0]?.answer(2)
  await quiet()
  statistics().setRange('30d')
  expect(await statistics().conversationsOf(mark)).toEqual(['garden'])
  expect(marks).toEqual([{ filter: { from: '2025-12-22', until: '2026-03-11' }, mark }])
})

it('has ranges of whole days, weeks and months that end today', () => {
  expect(daysOfRange('30d', nowMs)).toEqual({
    from: '2026-02-10',
    until: '2026-03-11',
    step: 'day',
  })
  expect(daysOfRange('year', nowMs)).toEqual({
    from: '2025-04-01',
    until: '2026-03-11',
    step: 'month',
  })
  expect(daysOfRange('year', new Date(2026, 11, 31, 23).getTime())).toMatchObject({
    from: '2026-01-01',
  })
  expect(daysOfRange('all', nowMs)).toEqual({})
})
