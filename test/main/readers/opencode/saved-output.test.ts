import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { opencodeOutputIn } from '../../../../src/main/readers/opencode/lines/saved-output'
import { messageSql, opencodeTables, sessionSql, sqlText } from '../../../support/opencode-rows'
import { outputsShown } from '../../../support/outputs-shown'
import { hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const key = 'ses_a'

function write(root: string, name: string, text: string) {
  const whole = path.join(root, name)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  fs.writeFileSync(whole, text)
}

/** The part of a tool's call that was cut, in version 1. */
function toolPart(output: string, outputPath: string) {
  const state = {
    status: 'completed',
    input: {},
    output,
    metadata: { truncated: true, outputPath },
  }
  return JSON.stringify({ type: 'tool', callID: 'call_1', tool: 'bash', state })
}

describe.skipIf(!hasSqlite3)('an output that OpenCode saved', () => {
  it('stands in its place, is found, printed and exported whole', async () => {
    const root = temp()
    const place = 'C:\\Users\\ann\\.local\\share\\opencode\\tool-output\\tool_01'
    const left = `...output truncated...\n\nFull output saved to: ${place}\n\npear 9\n\n<shell_metadata>\nexit 1\n</shell_metadata>`
    const part = sqlText(toolPart(left, place))
    writeDatabase(
      path.join(root, 'opencode.db'),
      `${opencodeTables} ${sessionSql(key, 'Trees')}
       ${messageSql(key, 'msg_1', 'user', 'list the trees', 1_790_000_000_000)}
       ${messageSql(key, 'msg_2', 'assistant', 'here', 1_790_000_001_000)}
       insert into part values ('prt_z', 'msg_2', '${key}', 1790000001000, 1790000001000, ${part});`,
    )
    write(root, 'tool-output/tool_01', `pear 1\n${'apple\n'.repeat(20_000)}the Quince\npear 9`)
    const shown = outputsShown('opencode', root, key, temp)
    const [result] = await shown.onPage()
    expect(result?.content.startsWith('pear 1\napple\n')).toBe(true)
    expect(result?.content.endsWith('\n\n<shell_metadata>\nexit 1\n</shell_metadata>')).toBe(true)
    const found = await shown.found('quince')
    expect(found.plain).toHaveLength(1)
    expect(found.indexed).toEqual(found.plain)
    expect(await shown.printed()).toContain('the Quince')
    expect(await shown.exported('html')).toContain('the Quince')
    expect(await shown.exported('openai')).toContain('output truncated')
    fs.rmSync(path.join(root, 'tool-output/tool_01'))
    expect((await shown.onPage())[0]).toMatchObject({ content: left, saved: { missing: 'gone' } })
    expect(await shown.found('quince')).toEqual({ plain: [], indexed: [] })
  })

  it('is found by the words of version 2, and by the path in its record', async () => {
    const root = temp()
    const marker = '... output truncated; full content saved to /home/ann/tool-output/tool_02 ...'
    const tool = (id: string, text: string, more: object) => ({
      type: 'tool',
      id,
      name: 'bash',
      state: { status: 'completed', input: {}, content: [{ type: 'text', text }], ...more },
    })
    const content = [
      tool('a', `head\n\n${marker}\n\ntail`, {}),
      tool('b', 'cut', { outputPaths: ['/home/ann/tool-output/tool_03'] }),
      tool('c', 'cut', { outputPaths: ['/etc/passwd'] }),
    ]
    writeDatabase(
      path.join(root, 'opencode.db'),
      `create table session_v2 (id text primary key, project_id text, directory text, title text, version text, time_created integer, time_updated integer);
       create table session_message (id text primary key, session_id text, type text, seq integer, time_created integer, time_updated integer, data text);
       create unique index session_message_session_seq_idx on session_message (session_id, seq);
       insert into session_v2 values ('${key}', 'global', '/home/ann', 'Trees', '2.0.12', 1790000000000, 1790000000000);
       insert into session_message values ('msg_1', '${key}', 'assistant', 1, 1790000000000, 1790000000000, ${sqlText(JSON.stringify({ content }))});`,
    )
    write(root, 'tool-output/tool_02', 'whole 2')
    write(root, 'tool-output/tool_03', 'whole 3')
    write(root, 'tool-output/passwd', 'secret')
    const shown = outputsShown('opencode', root, key, temp)
    expect((await shown.onPage()).map((result) => result.content)).toEqual([
      'whole 2',
      'whole 3',
      'cut',
    ])
  })

  it('is found beside sessions of files, too', async () => {
    const root = temp()
    const left =
      'pear\n\n...9 lines truncated...\n\nFull output saved to: /x/tool-output/tool_04\nUse Grep.'
    const times = { created: 1_790_000_000_000, updated: 1_790_000_000_000 }
    write(
      root,
      `storage/session/global/${key}.json`,
      JSON.stringify({ id: key, time: times, title: 'Trees' }),
    )
    write(
      root,
      `storage/message/${key}/msg_1.json`,
      JSON.stringify({ id: 'msg_1', sessionID: key, role: 'assistant', time: times }),
    )
    write(root, 'storage/part/msg_1/prt_1.json', toolPart(left, '/x/tool-output/tool_04'))
    write(root, 'tool-output/tool_04', 'pear and quince')
    const shown = outputsShown('opencode', root, key, temp)
    expect((await shown.onPage()).map(({ content }) => content)).toEqual(['pear and quince'])
    expect((await shown.found('quince')).indexed).toHaveLength(1)
  })
})

describe('the words of version 2 in the place of an output', () => {
  const marker = '... output truncated; full content saved to '
  const fileIn = (content: string) => opencodeOutputIn(content, undefined, 2)?.file

  it('name its file, on one line', () => {
    expect(fileIn(`a\n${marker}/data/tool_1 ...\nb`)).toBe('tool_1')
    expect(fileIn(`${marker}/data/tool_1\n...\r${marker}/data/tool_2 ... ...`)).toBe('tool_2')
    expect(fileIn(`${marker} ...`)).toBeUndefined()
    expect(fileIn(`${marker}/data/tool_1`)).toBeUndefined()
  })

  it('are looked for in a time that grows with the output, however often they are there', () => {
    expect(fileIn(`${marker}x`.repeat(100_000))).toBeUndefined()
    expect(fileIn(`${marker}\n`.repeat(100_000))).toBeUndefined()
  })
})
