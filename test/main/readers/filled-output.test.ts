import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportCommand } from '../../../src/cli/commands/export'
import { showCommand } from '../../../src/cli/commands/show'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openHistories } from '../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../src/main/library/sources/library-transcripts'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { savedOutputOf } from '../../../src/shared/model/conversation/tool-results'
import { run } from '../../cli/run'
import { claudeRecords, writeClaudeSession } from '../../support/claude-sessions'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const session = 'ae619569-e1d3-4f67-a3d7-4b650c6c087a'
const key = LibraryKey.parse(`claude-code:${session}`)
const { user, call, result, stub } = claudeRecords(session)

/** A session whose one result names an output; `write` puts files into its folder. */
function sessionWith(content: string, more: object = {}) {
  const root = temp()
  const folder = path.join(root, 'projects/-a', session, 'tool-results')
  writeClaudeSession(root, `projects/-a/${session}.jsonl`, [
    user(1, null, 'list the trees'),
    call(2, 1, 'Bash', 'toolu_1'),
    result(3, 2, 'toolu_1', content, more),
  ])
  const write = (name: string, text: string) => {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
  return { root, folder, write }
}

function open(root: string) {
  const histories = openHistories(nodeDisk, [{ source: 'claude-code', path: root }])
  const store = openStore({ home: path.join(root, 'home'), disk: nodeDisk })
  return openTranscripts({ disk: nodeDisk, store, histories })
}

async function resultOf(root: string) {
  const { rows } = await open(root).page(key, 'end', 10)
  const last = rows.at(-1)
  if (last?.type !== 'entry') throw new Error('no result')
  return { content: last.entry.content, saved: savedOutputOf(last.entry) }
}

describe('an output that Claude Code saved beside the session', () => {
  it('stands in its place on a page, with the words around it', async () => {
    const { root, write } = sessionWith(`${stub('toolu_1.txt')}\n<note>slow</note>`)
    write('toolu_1.txt', 'pear 1\npear 2\nquince 3\n')
    const { content, saved } = await resultOf(root)
    expect(content).toBe('pear 1\npear 2\nquince 3\n\n<note>slow</note>')
    expect(saved).toMatchObject({ file: 'toolu_1.txt', bytes: 23, shown: 23, from: 0, to: 23 })
  })

  it('is found by the path in the record where the words have none', async () => {
    const told = { persistedOutputPath: 'C:\\Users\\a\\tool-results\\b5.txt' }
    const { root, write } = sessionWith('pear 1', { toolUseResult: told })
    write('b5.txt', 'pear 1\npear 2')
    expect((await resultOf(root)).content).toBe('pear 1\npear 2')
  })

  it('comes to a page with its beginning alone, and in parts from there on', async () => {
    const { root, write } = sessionWith(stub('toolu_1.txt'))
    const text = 'pear è\n'.repeat(40_000)
    write('toolu_1.txt', text)
    const { content, saved } = await resultOf(root)
    expect(saved?.bytes).toBe(Buffer.byteLength(text))
    expect(saved?.shown).toBeLessThanOrEqual(64 * 1024)
    let whole = content
    const place = { file: `projects/-a/${session}.jsonl`, output: 'toolu_1.txt' }
    for (let from = saved?.shown ?? 0; from < Buffer.byteLength(text); ) {
      const part = await open(root).output(key, place, from, 100_000)
      whole += part.text
      from = part.to
    }
    expect(whole).toBe(text)
  })

  it('is said to be gone where it is, and what Claude Code left of it is shown', async () => {
    const { root } = sessionWith(stub('toolu_1.txt'))
    const { content, saved } = await resultOf(root)
    expect(content).toBe(stub('toolu_1.txt'))
    expect(saved?.missing).toBe('gone')
    const place = { file: `projects/-a/${session}.jsonl`, output: 'toolu_1.txt' }
    await expect(open(root).output(key, place, 0, 10)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is never taken from elsewhere, whatever path the session names', async () => {
    const { root, folder, write } = sessionWith(stub('../../../secret.txt'))
    fs.writeFileSync(path.join(root, 'projects/secret.txt'), 'secret')
    write('other.txt', 'other')
    expect((await resultOf(root)).saved?.missing).toBe('gone')
    const at = (output: string, file = `projects/-a/${session}.jsonl`) =>
      open(root).output(key, { file, output }, 0, 10)
    // Of a path its last name counts, in the session's own folder.
    await expect(at('../../../secret.txt')).rejects.toMatchObject({ code: 'not-found' })
    await expect(at('..')).rejects.toMatchObject({ code: 'not-found' })
    await expect(at('other.txt', 'projects/-b/x.jsonl')).rejects.toMatchObject({
      code: 'not-found',
    })
    expect((await at('other.txt')).text).toBe('other')
    fs.symlinkSync(path.join(root, 'projects/secret.txt'), path.join(folder, 'secret.txt'))
    expect((await resultOf(root)).saved?.missing).toBe('link')
  })

  it('of which words stand in the middle of an output is that output’s own text', async () => {
    const content = `look:\n${stub('toolu_1.txt')}`
    const { root, write } = sessionWith(content)
    write('toolu_1.txt', 'pear')
    expect(await resultOf(root)).toEqual({ content, saved: undefined })
  })

  it('is printed and exported whole for people, and as the model got it for other programs', async () => {
    const { root, write } = sessionWith(stub('toolu_1.txt'))
    const text = `${'pear\n'.repeat(30_000)}the last quince`
    write('toolu_1.txt', text)
    const at = ['--root', `claude-code=${root}`]
    expect((await run(showCommand, [session, ...at])).out).toContain('the last quince')
    for (const format of ['md', 'html', 'txt', 'json', 'jsonl', 'csv']) {
      const { out } = await run(exportCommand, [session, '--format', format, ...at])
      expect(out.split('the last quince'), format).toHaveLength(2)
    }
    const { out, words } = await run(exportCommand, [session, '--format', 'openai', ...at])
    expect(out).not.toContain('the last quince')
    expect(out).toContain('Preview (first 2KB)')
    expect(words).toContain('Output in a file of its own of 1 entry is left out.')
  })

  it('is told as gone in what is printed and exported', async () => {
    const { root } = sessionWith(stub('toolu_1.txt'))
    const at = ['--root', `claude-code=${root}`]
    expect((await run(showCommand, [session, ...at])).words).toContain('no longer there')
    const { out } = await run(exportCommand, [session, '--format', 'md', ...at])
    expect(out).toContain('no longer there')
  })
})
