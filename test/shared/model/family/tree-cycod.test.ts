import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockingKeys, groupRelatives } from '../../../../src/shared/model/family/blocking-keys'
import { familiesOf, hasBranches } from '../../../../src/shared/model/family/branches'
import { cannotRepeat } from '../../../../src/shared/model/family/entry-identity'
import { leavesOf } from '../../../../src/shared/model/family/family'
import { mergeTree } from '../../../../src/shared/model/family/merge'
import { type Outline, outlineOf } from '../../../../src/shared/model/family/outline'
import { kinshipsOf } from '../../../../src/shared/model/family/parents'
import { conversation, cycodFolder, drawn, lines, message } from '../../../support/outlined'

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/branches')
const outlinesOf = (name: string): readonly Outline[] =>
  cycodFolder(path.join(fixtures, name, 'history')).map(outlineOf)
const short = (text: string) => text.replaceAll('chat-history-175443', '').replaceAll('00000', '')

function parentsOf(outlines: readonly Outline[]) {
  const groups = groupRelatives(outlines.map(blockingKeys))
  const all = groups.flatMap((group) =>
    kinshipsOf(mergeTree(group.flatMap((i) => outlines[i] ?? []))),
  )
  return Object.fromEntries(
    all.map((kinship) => [
      kinship.key,
      {
        preferred_parent: kinship.parent?.key ?? null,
        preferred_branch_point_message_index: kinship.parent?.messages ?? null,
      },
    ]),
  )
}

describe('families of cycod files', () => {
  it('names the parents and branch points that the fixture expects', () => {
    const expected = JSON.parse(
      readFileSync(path.join(fixtures, 'cycod-family/expected.json'), 'utf8'),
    ) as { conversations: Record<string, ReturnType<typeof parentsOf>[string]> }
    const want = Object.fromEntries(
      Object.entries(expected.conversations).map(([key, facts]) => [
        key,
        {
          preferred_parent: facts.preferred_parent,
          preferred_branch_point_message_index: facts.preferred_branch_point_message_index,
        },
      ]),
    )
    expect(parentsOf(outlinesOf('cycod-family'))).toEqual(want)
  })

  it('shows every shared run once, under the oldest file that holds it', () => {
    const families = familiesOf(outlinesOf('cycod-family'))
    expect(families.map((family) => drawn(family).map(short))).toEqual(
      [
        [
          '70 L2..L5 [70 71 72 73 74 75 78] *',
          '  71 L6..L7 [71 72 73 74 78] *',
          '    71 L8..L8 [71 72 73 74]',
          '      72 L9..L12 [72 73]',
          '        73 L13..L16 [73]',
          '      74 L9..L12 [74]',
          '    78 L8..L8 [78] *',
          '  75 L6..L8 [75]',
        ],
        ['77 L2..L4 [77] *'],
        ['76 L2..L6 [76] *'],
      ].map((family) => family.map((row) => row)),
    )
  })

  it('counts leaves and entries, and takes titles from what a person said or a file alone is called', () => {
    const [family] = familiesOf(outlinesOf('cycod-family'))
    if (family === undefined) throw new Error('no family')
    expect(leavesOf(family).map((node) => node.title)).toEqual([
      'Compress and move',
      'delete it instead',
      'The largest file is b (12M).',
      'Another way',
    ])
    expect(family.nodes.map((node) => node.entries)).toEqual([5, 3, 1, 5, 5, 5, 1, 4])
    expect(familiesOf(outlinesOf('cycod-family')).map(hasBranches)).toEqual([true, false, false])
  })

  it('joins files without tool calls that share two messages beyond the system prompt, not one greeting', () => {
    const families = familiesOf(outlinesOf('cycod-without-tools'))
    const rows = families.map((family) =>
      drawn(family).map((row) => row.replaceAll('chat-history-177314000000', '')),
    )
    expect(rows).toEqual([
      ['3 L1..L5 [3] *'],
      ['1 L1..L5 [1 2] *', '  1 L6..L7 [1]', '  2 L6..L7 [2] *'],
    ])
    expect(
      Object.values(parentsOf(outlinesOf('cycod-without-tools'))).map((p) => p.preferred_parent),
    ).toEqual([null, null, null])
  })

  it('gives shared lines the ids of the oldest file, also where an extra first line shifts them', () => {
    const [first, second] = cycodFolder(path.join(fixtures, 'cycod-without-tools/history'))
    if (first === undefined || second === undefined) throw new Error('fixture')
    const shifted = {
      ...second,
      entries: [...second.entries].map((entry, i) => ({
        ...entry,
        id: entry.id.replace(/\d+/, `${i + 2}`) as typeof entry.id,
      })),
    }
    const tree = mergeTree([outlineOf(shifted), outlineOf(first)])
    expect(kinshipsOf(tree).map((kinship) => kinship.sharedIds)).toEqual([
      [],
      ['L1', 'L2', 'L3', 'L4', 'L5'],
    ])
  })
})

describe('tool calls of cycod files', () => {
  const call = (toolCallId: string) =>
    message('agent', '{}', { entry_type: 'tool_call', tool_call_id: toolCallId, to: 'Shell' })
  const result = (toolCallId: string, content = 'ok') =>
    message('user', content, { entry_type: 'tool_result', tool_call_id: toolCallId, to: 'model' })
  const file = (name: string, ...entries: readonly ReturnType<typeof call>[]) =>
    outlineOf(conversation(name, lines(entries)))
  const [first, second, third] = [
    'BJN3ZWdWSeyUC_zGZsl96Q',
    'aJN3ZW-WSeyUC_zGZsl96Q',
    'ABcdEFgh_JklmnOPqrstuv',
  ].map((end) => `tooluse_${end}`) as [string, string, string]

  it('makes a family of files that share ids with `_` and `-` inside, whatever the system prompt', () => {
    const parent = file('1', message('system', 'one'), call(first), result(first))
    const child = file(
      '2',
      ...[message('system', 'two'), call(first), result(first), call(second), result(second)],
    )
    expect(parentsOf([parent, child])['2']?.preferred_parent).toBe('1')
    for (const one of [first, second, third]) expect(cannotRepeat(one)).toBe(true)
    for (const one of ['tooluse_0', 'tooluse_read_the_file_of_today', 'call_0', 'L7'])
      expect(cannotRepeat(one)).toBe(false)
  })

  it('knows the parent that ends in a call without an answer, whether the child has that call or not', () => {
    const shared = [message('user', 'go'), call(first), result(first)]
    const parent = file('1', ...shared, call(second))
    const without = file('2', ...shared, call(third), result(third))
    const answered = file('3', ...shared, call(second), result(second, 'made up'))
    expect(parentsOf([parent, without])['2']?.preferred_parent).toBe('1')
    expect(parentsOf([parent, answered])['3']?.preferred_parent).toBe('1')
  })

  it('takes no file for a parent that parted after an answered call', () => {
    const shared = [message('user', 'go'), call(first), result(first)]
    const one = file('1', ...shared, call(second), result(second))
    const other = file('2', ...shared, call(third), result(third))
    expect(parentsOf([one, other])['2']?.preferred_parent).toBe(null)
  })
})
