import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { rotatedContext } from '../../support/rotated-context'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const reader = 'jq'
const hasJq = spawnSync(reader, ['--version']).status === 0

/** The folder of a context with one archived partition and an active one. */
async function rotated(): Promise<string> {
  const home = path.join(temp(), 'home')
  await rotatedContext(home, 'default', ['One?', 'Two?', 'Three?', 'Four?', 'Five?'], 4)
  return path.join(home, 'contexts/default')
}

describe.skipIf(!hasJq)('jq reads a transcript as chibi’s documentation shows', () => {
  const sh = (folder: string, line: string) =>
    execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })

  it('the active partition, and all of them, in the order of what was said', async () => {
    const folder = await rotated()
    const words = (text: string) => [...text.matchAll(/"content": "(.*)"/g)].map(([, one]) => one)
    expect(words(sh(folder, "cat transcript/active.jsonl | jq '.'"))).toEqual(['Four?', 'Five?'])
    const all = sh(folder, "cat transcript/partitions/*.jsonl transcript/active.jsonl | jq '.'")
    expect(words(all)).toEqual(['Context created', 'One?', 'Two?', 'Three?', 'Four?', 'Five?'])
  })

  it('entries of a type, their content alone, their count by type, and the anchors', async () => {
    const folder = await rotated()
    const all = 'cat transcript/partitions/*.jsonl transcript/active.jsonl'
    expect(
      sh(
        folder,
        `cat transcript/active.jsonl | jq -c 'select(.entry_type == "message") | .content'`,
      ),
    ).toBe('"Four?"\n"Five?"\n')
    expect(sh(folder, "cat transcript/active.jsonl | jq -r '.content'")).toBe('Four?\nFive?\n')
    expect(
      JSON.parse(
        sh(
          folder,
          `${all} 2>/dev/null | jq -s 'group_by(.entry_type) | map({type: .[0].entry_type, count: length})'`,
        ),
      ),
    ).toEqual([
      { type: 'context_created', count: 1 },
      { type: 'message', count: 5 },
    ])
    const anchors =
      '.entry_type == "context_created" or .entry_type == "compaction" or .entry_type == "archival"'
    expect(JSON.parse(sh(folder, `${all} | jq 'select(${anchors})'`))).toMatchObject({
      entry_type: 'context_created',
    })
  })
})
