import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { geminiReader } from '../../../../src/main/readers/gemini/gemini'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { outputsShown } from '../../../support/outputs-shown'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'

const temp = tempFolders(memoryFolder)
const session = 'a1e6d3c6-36b0-42e8-af90-e58fa9f1f230'
const chat = 'tmp/roses/chats/session-2026-09-10T10-00-a1e6d3c6.jsonl'
const outputs = `tmp/roses/tool-outputs/session-${session}`
const cutWords = (place: string) =>
  `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ${place}\npear 1\n\n... [5 characters omitted] ...\n\npear 9`

/** A session whose calls of the shell answered with these texts. */
function sessionWith(...answers: readonly string[]) {
  const root = temp()
  const write = (name: string, text: string) => {
    const whole = path.join(root, name)
    fs.mkdirSync(path.dirname(whole), { recursive: true })
    fs.writeFileSync(whole, text)
  }
  const calls = answers.map((output, n) => ({
    id: `run_shell_command_${n}`,
    name: 'run_shell_command',
    args: { command: 'ls' },
    status: 'success',
    result: [{ functionResponse: { id: `c${n}`, response: { output } } }],
  }))
  const lines = [
    { sessionId: session, startTime: '2026-09-10T09:00:00Z' },
    { id: 'm1', timestamp: '2026-09-10T09:01:00Z', type: 'user', content: 'list the trees' },
    { id: 'm2', timestamp: '2026-09-10T09:02:00Z', type: 'gemini', content: '', toolCalls: calls },
  ]
  write(chat, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return { root, write, shown: outputsShown('gemini', root, session, temp) }
}

describe('an output that Gemini CLI saved', () => {
  it('stands in its place, is found, printed and exported whole', async () => {
    const place = `C:\\Users\\ann\\.gemini\\tmp\\roses\\tool-outputs\\session-${session}\\run_shell_command_0.txt`
    const { write, shown } = sessionWith(cutWords(place))
    const text = `pear 1\n${'apple\n'.repeat(20_000)}the Quince\npear 9`
    write(`${outputs}/run_shell_command_0.txt`, text)
    const [result] = await shown.onPage()
    expect(result?.content.startsWith('pear 1\napple\n')).toBe(true)
    expect(result?.saved).toMatchObject({
      file: `tool-outputs/session-${session}/run_shell_command_0.txt`,
      bytes: text.length,
    })
    const { saved, file = '' } = result ?? {}
    const rest = await shown.part(file, saved?.file ?? '', saved?.shown ?? 0, text.length)
    expect(`${result?.content}${rest.text}`).toBe(text)
    expect(await shown.found('quince')).toEqual({ plain: ['m2#2'], indexed: ['m2#2'] })
    expect(await shown.found('"characters omitted"')).toEqual({ plain: [], indexed: [] })
    expect(await shown.printed()).toContain('the Quince')
    expect(await shown.exported('md')).toContain('the Quince')
    expect(await shown.exported('openai')).toContain('For full output see')
  })

  it('is found in every form of the words that its versions leave', async () => {
    const at = (n: number) => `/home/ann/.gemini/${outputs}/o${n}.txt`
    const { write, shown } = sessionWith(
      `<tool_output_masked>\nOutput: a\n\nOutput too large. Full output available at: ${at(0)}\n</tool_output_masked>`,
      `<tool_output_masked>\n${cutWords(at(1))}\n\nOutput too large. Full output available at: ${at(9)}\n</tool_output_masked>`,
      `[Message Normalized: Tool output exceeded size limit]\nOutput: a\n...\nb\n\nFull output saved to: ${at(2)}\n\n--- Strategic Significance of Truncated Content ---\nIt failed.`,
      'Tool output was too large and has been truncated.\nThe full output has been saved to: /tmp/x/call_3.output\nTo read the complete output, use read_file.',
      `I read: ${cutWords(at(1))}`,
    )
    for (const n of [0, 1, 2]) write(`${outputs}/o${n}.txt`, `whole ${n}`)
    write('tmp/roses/call_3.output', 'whole 3')
    expect((await shown.onPage()).map(({ content }) => content)).toEqual([
      'whole 0',
      'whole 1',
      'whole 2\n\n--- Strategic Significance of Truncated Content ---\nIt failed.',
      'whole 3',
      `I read: ${cutWords(at(1))}`,
    ])
    expect((await shown.found('whole')).indexed).toHaveLength(4)
  })

  it('is read from the folder of its project alone, and said to be gone where it is', async () => {
    const { write, shown, root } = sessionWith(
      cutWords('/etc/passwd'),
      cutWords(`/x/tool-outputs/session-${session}/gone.txt`),
      cutWords(`/x/tool-outputs/session-${session}/link.txt`),
      cutWords('/home/ann/chats/secret.txt'),
    )
    write('tmp/roses/chats/secret.txt', 'secret')
    write(`${outputs}/own.txt`, 'own')
    fs.symlinkSync(
      path.join(root, 'tmp/roses/chats/secret.txt'),
      path.join(root, outputs, 'link.txt'),
    )
    const results = await shown.onPage()
    expect(results.map(({ saved }) => saved?.missing ?? saved)).toEqual([
      undefined,
      'gone',
      'link',
      undefined,
    ])
    for (const output of ['../chats/secret.txt', 'tool-outputs/../chats/secret.txt', 'passwd'])
      await expect(shown.part(chat, output, 0, 10), output).rejects.toMatchObject({
        code: 'not-found',
      })
  })
})

it('are looked at once for all sessions of a project, and tell each session of its own', async () => {
  const { root, write } = sessionWith()
  const ids = Array.from({ length: 20 }, (_, n) => `${10 + n}e6d3c6-36b0-42e8-af90-e58fa9f1f230`)
  const outputsOf = async () => {
    const disk = watchedDisk()
    const stats = new Map<string, string | undefined>()
    const { signal } = new AbortController()
    for await (const { key, files } of geminiReader.list(root, historyDisk(disk), signal))
      stats.set(key, files[0]?.outputs)
    return { stats, calls: disk.calls() }
  }
  for (const id of ids) {
    write(`tmp/roses/chats/session-${id}.jsonl`, `${JSON.stringify({ sessionId: id })}\n`)
    write(`tmp/roses/tool-outputs/session-${id}/a.txt`, 'apple')
  }
  const few = await outputsOf()
  expect(new Set(ids.map((id) => few.stats.get(id))).size).toBe(ids.length)
  for (let n = 0; n < 200; n++) write(`tmp/roses/old-${n}.output`, 'pear')
  const many = await outputsOf()
  // Each of the others is looked at once, and not once for each session.
  expect(many.calls - few.calls).toBeLessThan(300)
  for (const id of ids) expect(many.stats.get(id)).not.toBe(few.stats.get(id))
  write(`tmp/roses/tool-outputs/session-${ids[3]}/b.txt`, 'plum')
  const { stats } = await outputsOf()
  expect(ids.filter((id) => stats.get(id) !== many.stats.get(id))).toEqual([ids[3]])
})
