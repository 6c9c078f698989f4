import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextNameFault } from '../../src/shared/model/conversation/conversation'
import { RunFailure } from '../../src/shared/model/run/run'

interface SampleEntry {
  readonly after: number
  readonly content: string
  readonly entry_type: string
  readonly tool_call_id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

interface Sample {
  readonly name: string
  readonly createdAt: number
  readonly entries: readonly SampleEntry[]
  readonly rawLines?: readonly { readonly afterEntry: number; readonly bytes: string }[]
}

const folder = path.resolve(import.meta.dirname, '../../resources/sample')
const samples = fs
  .readdirSync(folder)
  .map((file): Sample => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')))
const all = samples.flatMap(({ entries }) => entries)

describe.each(samples.map((sample) => [sample.name, sample] as const))('%s', (name, sample) => {
  it('has a name that chibi takes, and ends before now', () => {
    const lasts = sample.entries.reduce((sum, { after }) => sum + after, 0)
    expect(contextNameFault(name)).toBeUndefined()
    expect(lasts).toBeLessThan(sample.createdAt)
  })

  it('has one result for each call, after it', () => {
    const idsOf = (type: string) =>
      sample.entries.filter((entry) => entry.entry_type === type).map((entry) => entry.tool_call_id)
    expect(idsOf('tool_result')).toEqual(idsOf('tool_call'))
    expect(new Set(idsOf('tool_call')).size).toBe(idsOf('tool_call').length)
  })
})

describe('the sample library', () => {
  it('is a dozen conversations', () => {
    expect(samples).toHaveLength(12)
  })

  it('has one line that is not JSON, and ends in a line feed', () => {
    const lines = samples.flatMap(({ rawLines }) => rawLines ?? []).map(({ bytes }) => bytes)
    expect(lines).toHaveLength(1)
    expect(lines[0]?.endsWith('\n')).toBe(true)
    expect(() => JSON.parse(lines[0] ?? '')).toThrow()
  })

  it.each<readonly [string, RegExp]>([
    ['Chinese', /\p{Script=Han}{4}/u],
    ['Japanese', /\p{Script=Hiragana}{3}/u],
    ['Korean', /\p{Script=Hangul}{3}/u],
    ['Arabic', /\p{Script=Arabic}{3}/u],
    ['Hebrew', /\p{Script=Hebrew}{3}/u],
    ['emoji', /\p{Extended_Pictographic}/u],
    ['a table', /^\| .* \|\n\|[ :|-]+\|$/m],
    ['a task list', /^- \[x\] /m],
    ...['ts', 'python', 'rust', 'sql', 'sh', 'dockerfile', 'html', 'css', 'json'].map(
      (language) => [`code in ${language}`, new RegExp(`^ *\`\`\`${language}$`, 'm')] as const,
    ),
  ])('shows %s', (_what, pattern) => {
    expect(all.some(({ content }) => pattern.test(content))).toBe(true)
  })

  it('shows an answer that was stopped, an error, reasoning and a summary', () => {
    expect(all.some(({ metadata }) => metadata?.interrupted === 'stopped')).toBe(true)
    expect(all.some(({ metadata }) => typeof metadata?.reasoning === 'string')).toBe(true)
    expect(all.some(({ metadata }) => typeof metadata?.summary === 'string')).toBe(true)
    const errors = all.filter(({ entry_type }) => entry_type === 'run_error')
    expect(errors).toHaveLength(1)
    expect(RunFailure.safeParse(errors[0]?.metadata).success).toBe(true)
  })

  it('has a conversation that is long enough to scroll for a while', () => {
    expect(Math.max(...samples.map(({ entries }) => entries.length))).toBeGreaterThan(250)
  })
})
