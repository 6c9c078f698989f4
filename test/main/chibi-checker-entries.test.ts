import { expect, it } from 'vitest'
import {
  active,
  changed,
  faultsIn,
  line,
  moved,
  partition,
} from '../support/chibi-checker/broken-home'
import type { HomeFiles } from '../support/chibi-checker/good-home'
import { memoryFolder, tempFolders } from '../support/temp-folder'

const temp = tempFolders(memoryFolder)

const last = '00000000-0000-4000-8000-000000000015'
const surrogate = String.raw`Look \ud83d.`

it.each<[rule: string, files: HomeFiles, fault: string]>([
  // Bytes and lines.
  ['the last line has no line feed', changed(active, (t) => t.slice(0, -1)), `${active}: does not`],
  ['CRLF', changed(active, (t) => t.replace('\n', '\r\n')), `${active}:1: ends in CRLF`],
  ['a byte order mark', changed(active, (t) => `\ufeff${t}`), `${active}:1: begins with a byte`],
  ['a blank line', changed(active, (t) => `\n${t}`), `${active}:1: is blank`],
  [
    'bytes that are no UTF-8',
    changed(active, (t) => Buffer.concat([Buffer.from(t), Buffer.from('ff0a', 'hex')])),
    `${active}:12: is not UTF-8`,
  ],
  ['torn bytes', changed(active, (t) => `{"id":"0\n${t}`), `${active}:1: is no JSON`],
  [
    'a line that is no object',
    changed(active, (t) => `[1]\n${t}`),
    `${active}:1: is no JSON object`,
  ],
  ['white space', line('{"id":', '{ "id":'), `${active}:1: is not written as compact`],
  [
    'a key twice',
    line('"role":"user"', '"role":"user","role":"user"'),
    `${active}:1: is not written`,
  ],
  ['half of a surrogate pair', line('Look.', surrogate), `${active}:1: holds a lone surrogate`],
  [
    'half of one deep in metadata',
    line('"kind":"server"', String.raw`"kind":["\udc00"]`),
    `${active}:11: holds a lone`,
  ],
  // An entry's shape.
  ['a missing key', line('"content":"Look.",', ''), `${active}:1: "content" is no text`],
  ['a number for a text', line('"Look."', '5'), `${active}:1: "content" is no text`],
  [
    'a fraction of a second',
    line('1770000005', '1770000005.5'),
    `${active}:1: "timestamp" is no whole`,
  ],
  ['a negative time', line('1770000005', '-5'), `${active}:1: "timestamp" is no whole`],
  ['an id that is no UUID', line(last, 'L15'), `${active}:11: the id is no UUID`],
  ['a UUID in capitals', line(last, last.replace('-8', '-A')), `${active}:11: the id is no UUID`],
  [
    'another order of keys',
    line('"from":"mira","to":"garden"', '"to":"garden","from":"mira"'),
    `${active}:1: the keys are not in order`,
  ],
  [
    'an unknown key',
    line('"role":"user"', '"role":"user","x":1'),
    `${active}:1: there is no key "x"`,
  ],
  [
    'empty metadata',
    line('"metadata":{"kind":"server"}', '"metadata":{}'),
    `${active}:11: "metadata" is`,
  ],
  [
    'a null for nothing',
    line('"metadata":{"kind":"server"}', '"metadata":null'),
    `${active}:11: "metadata" is`,
  ],
  [
    'a role that there is not',
    line('"role":"user"', '"role":"assistant"'),
    `${active}:1: "role" is none`,
  ],
  [
    'flow_control that is false',
    line('"role":"user"', '"role":"user","flow_control":false'),
    `${active}:1: "flow_control" stands`,
  ],
  [
    'a call without its id',
    line(',"tool_call_id":"call_a"', ''),
    `${active}:3: the tool_call has no`,
  ],
  [
    'a message with a call id',
    line('"message","role"', '"message","tool_call_id":"x","role"'),
    `${active}:1: a message has a`,
  ],
  ['an empty call id', line('"call_a"', '""'), `${active}:3: the tool_call has no`],
  // Types.
  ['an unknown type', line('run_error', 'note'), `${active}:11: there is no entry type "note"`],
  [
    'a message to somebody else',
    line('"from":"mira","to":"garden"', '"from":"mira","to":"shed"'),
    `${active}:1: a message goes`,
  ],
  [
    'an answer of somebody else',
    line('"from":"garden","to":"user"', '"from":"shed","to":"user"'),
    `${active}:2: a message goes`,
  ],
  [
    'an answer with the role of a person',
    line('"role":"agent"', '"role":"user"'),
    `${active}:2: a message to "user"`,
  ],
  [
    'a call of another context',
    line('"from":"garden","to":"file_head"', '"from":"shed","to":"file_head"'),
    `${active}:3: a tool_call is from`,
  ],
  [
    'a call of no tool',
    line('"to":"file_tail"', '"to":""'),
    `${active}:4: a tool_call names its tool`,
  ],
  [
    'a call with a role',
    line('"call_b"', '"call_b","role":"agent"'),
    `${active}:4: a tool_call has no role`,
  ],
  [
    'a result to another context',
    line('"from":"file_head","to":"garden"', '"from":"file_head","to":"shed"'),
    `${active}:5: a tool_result is to`,
  ],
  [
    'an anchor of a person',
    changed(`${partition}.jsonl`, (t) => t.replace('"system"', '"mira"')),
    `${partition}.jsonl:1: a context_created is from`,
  ],
  [
    'an anchor in other words',
    changed(`${partition}.jsonl`, (t) => t.replace('Context compacted', 'Compacted context')),
    `${partition}.jsonl:4: a compaction says`,
  ],
  [
    'a compaction without its summary',
    changed(`${partition}.jsonl`, (t) => t.replace('"summary"', '"other"')),
    `${partition}.jsonl:4: a compaction keeps`,
  ],
  [
    'a changed prompt of nobody',
    line('"system","to":"garden","content":"Be', '"","to":"garden","content":"Be'),
    `${active}:7: a system_prompt_changed is from`,
  ],
  // Calls and results.
  [
    'a call without a result',
    moved((l) => l.toSpliced(5, 1)),
    `${active}:4: no tool_result follows`,
  ],
  [
    'a result without a call',
    moved((l) => l.toSpliced(2, 2)),
    `${active}:3: a tool_result without its call`,
  ],
  [
    'something between calls and results',
    moved((l) => [l.slice(0, 4), l.slice(6, 7), l.slice(4, 6), l.slice(7)].flat()),
    `${active}:3: no tool_result follows`,
  ],
  [
    'something between results',
    moved((l) => [l.slice(0, 5), l.slice(6, 7), l.slice(5, 6), l.slice(7)].flat()),
    `${active}:4: no tool_result follows`,
  ],
  [
    'results in another order',
    moved((l) => [l.slice(0, 4), l.slice(5, 6), l.slice(4, 5), l.slice(6)].flat()),
    `${active}:5: is the result of "call_b", where "call_a"`,
  ],
  [
    'a result of another tool',
    line('"from":"file_head"', '"from":"file_tail"'),
    `${active}:5: is from "file_tail"`,
  ],
  [
    'a call id twice in a turn',
    moved((l) => l.map((one) => one.replace('call_b', 'call_a'))),
    `${active}:4: "call_a" is the id of another`,
  ],
  [
    'a call id twice in a window',
    moved((l) => l.map((one) => one.replace('call_c', 'call_a'))),
    `${active}:8: "call_a" is the id of another`,
  ],
  [
    'flow control without its end',
    moved((l) => l.toSpliced(8, 1)),
    `${active}:8: no flow_control_result follows`,
  ],
  [
    'an ordinary result for flow control',
    moved((l) => l.map((one) => one.replace('flow_control_result', 'tool_result'))),
    `${active}:8: no flow_control_result`,
  ],
])('finds %s', (_, files, fault) => {
  const faults = faultsIn(temp(), files, { secrets: ['sk-secret'] })
  expect(faults.filter((one) => one.includes(fault))).not.toEqual([])
})
