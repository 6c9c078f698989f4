import { expect, it } from 'vitest'
import { openSystemNotices, type SystemNotice } from '../../../src/main/compose/system-notices'
import type { RunProgress } from '../../../src/main/llm/run/runs'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { RunId } from '../../../src/shared/model/run/run'

const key = LibraryKey.parse('garden')
const runId = RunId.parse('run-1')

interface OpenedWith {
  readonly isBehind?: () => boolean
  readonly isWanted?: boolean
  readonly title?: string
}

function opened(parts: OpenedWith = {}) {
  let now = 1_000
  const shown: SystemNotice[] = []
  const notices = openSystemNotices({
    isBehind: parts.isBehind ?? (() => true),
    isWanted: async () => parts.isWanted ?? true,
    titleOf: async (asked) => (asked === key ? (parts.title ?? 'Plums') : undefined),
    show: (notice) => void shown.push(notice),
    now: () => now,
  })
  const run = (phase: RunProgress['phase'], more: Partial<RunProgress> = {}) =>
    notices.runChanged({ runId, key, phase, ...more })
  return { notices, shown, run, pass: (ms: number) => (now += ms) }
}

const complete = { title: 'Plums', body: 'The answer is complete.', key }

it('tells of a long run that has ended while another program is in front, once', async () => {
  const { shown, run, pass } = opened()
  run('sending')
  pass(6_000)
  run('streaming')
  pass(6_000)
  run('complete')
  await expect.poll(() => shown).toEqual([complete])
})

it.each([
  ['failed', {}, 'The answer failed.'],
  ['complete', { unfinished: true as const }, 'The answer ended early.'],
] as const)('tells how it ended: %s %o', async (phase, more, body) => {
  const { shown, run, pass } = opened()
  run('sending')
  pass(60_000)
  run(phase, more)
  await expect.poll(() => shown).toEqual([{ ...complete, body }])
})

it('tells nothing of a short run, of one that the person stopped, to who looks, or to who wants none', async () => {
  const all = [
    opened(),
    opened(),
    opened({ isBehind: () => false }),
    opened({ isWanted: false }),
  ] as const
  const [short, stopped, ...others] = all
  for (const { run } of all) run('sending')
  short.pass(9_999)
  short.run('complete')
  stopped.pass(60_000)
  stopped.run('stopped')
  for (const { run, pass } of others) {
    pass(60_000)
    run('complete')
  }
  // The next run of the same window is told of: what was passed over has had its time.
  for (const one of [short, stopped]) {
    const other = RunId.parse('run-2')
    one.notices.runChanged({ runId: other, key, phase: 'sending' })
    one.pass(60_000)
    one.notices.runChanged({ runId: other, key, phase: 'complete' })
    await expect.poll(() => one.shown).toEqual([complete])
  }
  for (const { shown } of others) expect(shown).toEqual([])
})

it('tells at once that a tool waits, and nothing of what it would do', async () => {
  const { notices, shown } = opened()
  notices.approvalAsked({
    consentId: 'c',
    key,
    runId,
    callId: 'call',
    tool: 'shell',
    title: 'rm -rf secret',
    arguments: '{"command":"rm -rf secret"}',
    digest: 'd',
  })
  await expect
    .poll(() => shown)
    .toEqual([{ title: 'Plums', body: 'A tool waits for your approval.', key }])
})

it('tells nothing to who came back while the title was looked for', async () => {
  const behind = [true, false]
  let asked = 0
  const { shown, run, pass } = opened({
    isBehind() {
      asked++
      return behind.shift() ?? false
    },
  })
  run('sending')
  pass(60_000)
  run('complete')
  await expect.poll(() => asked).toBe(2)
  expect(shown).toEqual([])
})

it.each([
  ['one\n  two\tthree', 'one two three'],
  ['safe\u202etxt.exe', 'safe⟨U+202E⟩txt.exe'],
  ['🍑'.repeat(5_000_000), `${'🍑'.repeat(99)}…`],
  ['🍑'.repeat(100), '🍑'.repeat(100)],
])('shows a title in one short line that hides nothing: %#', async (title, line) => {
  const { shown, run, pass } = opened({ title })
  run('sending')
  pass(60_000)
  run('complete')
  await expect.poll(() => shown.map((notice) => notice.title)).toEqual([line])
})
