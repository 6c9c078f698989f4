import path from 'node:path'

/**
 * Checks files of sessions by the rules of their programs, as their specifications, sources and files tell them. Shares no code with
 * what writes them: each rule is written from the paper. Every fault is a sentence; none is the answer hoped for.
 */

type Json = Readonly<Record<string, unknown>>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectAt(value: Json, key: string): Json {
  const found = value[key]
  return isObject(found) ? found : {}
}

function listAt(value: Json, key: string): readonly Json[] {
  const found = value[key]
  return Array.isArray(found) ? found.filter(isObject) : []
}

function linesOf(text: string, say: (fault: string) => void): readonly Json[] {
  if (!text.endsWith('\n')) say('no line feed at the end')
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line, at) => {
      try {
        const value: unknown = JSON.parse(line)
        if (isObject(value)) return [value]
      } catch {
        // Said below.
      }
      say(`line ${at + 1} is no JSON object`)
      return []
    })
}

/** Every call has one result, right behind the answer that has it; nothing else has that id. */
class Calls {
  private readonly all = new Set<unknown>()
  private open = new Set<unknown>()
  private readonly say: (fault: string) => void

  constructor(say: (fault: string) => void) {
    this.say = say
  }

  call(id: unknown, name: unknown): void {
    if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) this.say(`call id ${String(id)}`)
    if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
      this.say(`tool name ${String(name)}`)
    if (this.all.has(id)) this.say(`call ${String(id)} is there twice`)
    this.all.add(id)
    this.open.add(id)
  }

  result(id: unknown): void {
    if (!this.open.delete(id)) this.say(`result of ${String(id)} without its call before it`)
  }

  /** Something else is said. */
  close(): void {
    for (const id of this.open) this.say(`call ${String(id)} without its result`)
    this.open = new Set()
  }
}

function checkText(text: unknown, say: (fault: string) => void): void {
  if (typeof text !== 'string' || text.trim() === '') say('a message without words')
}

/** Faults of a session of pi. */
export function piFaults(text: string): readonly string[] {
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const [header = {}, ...records] = linesOf(text, say)
  if (Buffer.byteLength(text.slice(0, text.indexOf('\n'))) >= 512) say('the header is too long')
  if (header.type !== 'session' || header.version !== 3) say('the first line is no header')
  if (typeof header.id !== 'string' || !uuid.test(header.id)) say('the id of the header')
  if (typeof header.cwd !== 'string' || !path.isAbsolute(header.cwd)) say('the folder')
  if (!isoTime.test(String(header.timestamp))) say('the time of the header')
  const ids = new Set<unknown>()
  const calls = new Calls(say)
  let last: unknown = null
  let isNamed = false
  for (const record of records) {
    const { id, parentId, timestamp, type } = record
    if (typeof id !== 'string' || !/^[0-9a-f]{8}$/.test(id) || ids.has(id)) say(`id ${String(id)}`)
    if (parentId !== last) say(`${String(id)} is no child of the record before`)
    if (!isoTime.test(String(timestamp))) say(`time ${String(timestamp)}`)
    ids.add(id)
    last = id
    if (type === 'session_info') isNamed = typeof record.name === 'string' && record.name !== ''
    else if (type === 'compaction') {
      calls.close()
      if (typeof record.summary !== 'string' || typeof record.tokensBefore !== 'number')
        say('a compaction without its fields')
      if (!ids.has(record.firstKeptEntryId)) say('a compaction that keeps an unknown record')
    } else if (type === 'message') checkPiMessage(objectAt(record, 'message'), calls, say)
    else say(`a record of type ${String(type)}`)
  }
  calls.close()
  if (!isNamed) say('no name')
  return faults
}

/**
 * Faults of a session of pi that holds several branches: each path from the first record to an end is a session without faults, and pi is
 * at the last record.
 */
export function piTreeFaults(text: string): readonly string[] {
  const [header = '', ...lines] = text.split('\n').slice(0, -1)
  const records = lines.map((line) => ({ line, ...JSON.parse(line) }) as Json)
  const byId = new Map(records.map((record) => [record.id, record]))
  const faults = byId.size === records.length ? [] : ['an id is there twice']
  const parents = new Set(records.map(({ parentId }) => parentId))
  if (records.filter(({ parentId }) => parentId === null).length !== 1)
    faults.push('not one first record')
  records.forEach(({ id, parentId }, at) => {
    const isKnown = records.slice(0, at).some((one) => one.id === parentId)
    if (parentId !== null && !isKnown) faults.push(`${String(id)} has no parent before it`)
  })
  for (const end of records.filter(({ id }) => !parents.has(id))) {
    const path: unknown[] = []
    for (let at: Json | undefined = end; at !== undefined; at = byId.get(at.parentId))
      path.unshift(at.line)
    const own = piFaults([header, ...path, ''].join('\n'))
    // What keeps an earlier record names itself; all else is on the path.
    faults.push(...own.map((fault) => `to ${String(end.id)}: ${fault}`))
  }
  return faults
}

function checkPiMessage(message: Json, calls: Calls, say: (fault: string) => void): void {
  const { role, content, timestamp } = message
  if (!Array.isArray(content)) say('content that is no list')
  if (!Number.isInteger(timestamp)) say('a message without milliseconds')
  const blocks = listAt(message, 'content')
  if (role === 'toolResult') {
    calls.result(message.toolCallId)
    if (typeof message.isError !== 'boolean') say('a result without isError')
    if (typeof message.toolName !== 'string') say('a result without its tool')
    return
  }
  calls.close()
  if (blocks.length === 0) say('a message without content')
  for (const block of blocks) {
    if (block.type === 'text') checkText(block.text, say)
    if (block.type === 'toolCall') {
      calls.call(block.id, block.name)
      if (!isObject(block.arguments)) say('arguments that are no object')
    }
  }
  if (role === 'user') return
  if (role !== 'assistant') say(`role ${String(role)}`)
  for (const key of ['api', 'provider', 'model'])
    if (typeof message[key] !== 'string' || message[key] === '') say(`an answer without ${key}`)
  const hasCalls = blocks.some(({ type }) => type === 'toolCall')
  if (message.stopReason !== (hasCalls ? 'toolUse' : 'stop')) say('stopReason')
  const usage = objectAt(message, 'usage')
  const counts = ['input', 'output', 'cacheRead', 'cacheWrite']
  for (const key of [...counts, 'totalTokens'])
    if (typeof usage[key] !== 'number') say(`usage without ${key}`)
  for (const key of [...counts, 'total'])
    if (typeof objectAt(usage, 'cost')[key] !== 'number') say(`cost without ${key}`)
}

/** Faults of a session of Claude Code, by the name of its file. */
export function claudeCodeFaults(text: string, fileName: string): readonly string[] {
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const stem = path.basename(fileName, '.jsonl')
  if (!uuid.test(stem)) say('the name is no UUID')
  const lines = linesOf(text, say)
  const calls = new Calls(say)
  const ids = new Set<unknown>()
  let last: unknown = null
  let lastTime = ''
  let cwd: unknown
  let isTitled = false
  for (const line of lines) {
    if (line.sessionId !== stem) say('a session that is not the name')
    if (line.type === 'custom-title') {
      isTitled = typeof line.customTitle === 'string' && line.customTitle !== ''
      continue
    }
    const { uuid: id, parentUuid, timestamp, type } = line
    if (typeof id !== 'string' || !uuid.test(id) || ids.has(id)) say(`uuid ${String(id)}`)
    if (parentUuid !== last) say('a line that is no child of the one before')
    ids.add(id)
    last = id
    cwd ??= line.cwd
    if (typeof cwd !== 'string' || !path.isAbsolute(cwd) || line.cwd !== cwd) say('the folder')
    if (!isoTime.test(String(timestamp)) || String(timestamp) < lastTime) say('times do not rise')
    lastTime = String(timestamp)
    if (line.isSidechain !== false || line.userType !== 'external') say('isSidechain or userType')
    if (!/^\d+\.\d+\.\d+$/.test(String(line.version))) say('the version')
    checkClaudeMessage(String(type), objectAt(line, 'message'), calls, say)
  }
  calls.close()
  if (!isTitled) say('no title')
  return faults
}

function checkClaudeMessage(
  type: string,
  message: Json,
  calls: Calls,
  say: (fault: string) => void,
): void {
  if (message.role !== type) say(`role ${String(message.role)} on a line of ${type}`)
  const blocks = listAt(message, 'content')
  const results = blocks.filter((block) => block.type === 'tool_result')
  for (const block of results) calls.result(block.tool_use_id)
  calls.close()
  if (results.length > 0 && results.length < blocks.length) say('results among other blocks')
  if (typeof message.content === 'string') checkText(message.content, say)
  else if (blocks.length === 0) say('a message without content')
  for (const block of blocks) if (block.type === 'text') checkText(block.text, say)
  if (type === 'user') return
  if (type !== 'assistant') say(`a line of type ${type}`)
  if (message.type !== 'message' || !/^msg_\w+$/.test(String(message.id)))
    say('the id of an answer')
  if (typeof message.model !== 'string' || !isObject(message.usage)) say('model or usage')
  const uses = blocks.filter((block) => block.type === 'tool_use')
  if (message.stop_reason !== (uses.length > 0 ? 'tool_use' : 'end_turn')) say('stop_reason')
  for (const block of blocks) {
    if (!['text', 'tool_use'].includes(String(block.type))) say(`a block of ${String(block.type)}`)
    if (block.type === 'tool_use') {
      calls.call(block.id, block.name)
      if (!isObject(block.input)) say('an input that is no object')
    }
  }
}

/** Faults of a rollout of Codex, by the name of its file. */
export function codexFaults(text: string, fileName: string): readonly string[] {
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const [, id] = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.{36})\.jsonl$/.exec(fileName) ?? []
  if (id === undefined || !uuid.test(id) || id[14] !== '7') say('the name')
  const lines = linesOf(text, say)
  const calls = new Calls(say)
  for (const [at, line] of lines.entries()) {
    const { timestamp, type } = line
    const payload = objectAt(line, 'payload')
    if (!isoTime.test(String(timestamp))) say(`time ${String(timestamp)}`)
    if (line.ordinal !== undefined) say('an ordinal')
    if ((type === 'session_meta') !== (at === 0)) say('session_meta is not the first line')
    if (type === 'session_meta') checkCodexHead(payload, id, say)
    else if (type === 'response_item') checkCodexItem(payload, calls, say)
    else if (type !== 'event_msg') say(`a line of type ${String(type)}`)
  }
  calls.close()
  const begin = lines.slice(0, 10)
  if (
    !begin.some(({ type, ...line }) => type === 'event_msg' && isSpoken(objectAt(line, 'payload')))
  )
    say('no words of a person near the beginning')
  return faults
}

function isSpoken({ type, message }: Json): boolean {
  return type === 'user_message' && typeof message === 'string'
}

function checkCodexHead(meta: Json, id: string | undefined, say: (fault: string) => void): void {
  if (meta.id !== id) say('the id is not that of the name')
  if (!isoTime.test(String(meta.timestamp))) say('the time of the head')
  if (typeof meta.cwd !== 'string' || !path.isAbsolute(meta.cwd)) say('the folder')
  if (meta.source !== 'cli' || meta.history_mode !== undefined) say('source or history_mode')
  for (const key of ['originator', 'cli_version', 'model_provider'])
    if (typeof meta[key] !== 'string') say(`a head without ${key}`)
}

function checkCodexItem(item: Json, calls: Calls, say: (fault: string) => void): void {
  if (item.type === 'function_call') {
    calls.call(item.call_id, item.name)
    try {
      if (!isObject(JSON.parse(String(item.arguments)))) say('arguments that are no object')
    } catch {
      say('arguments that are no JSON')
    }
    return
  }
  if (item.type === 'function_call_output') {
    calls.result(item.call_id)
    const { output } = item
    if (typeof output !== 'string' && !Array.isArray(output)) say('an output of another shape')
    return
  }
  calls.close()
  if (item.type !== 'message') say(`an item of type ${String(item.type)}`)
  const wanted = item.role === 'user' ? ['input_text', 'input_image'] : ['output_text']
  if (item.role !== 'user' && item.role !== 'assistant') say(`role ${String(item.role)}`)
  const parts = listAt(item, 'content')
  if (parts.length === 0) say('a message without content')
  for (const part of parts) {
    if (!wanted.includes(String(part.type))) say(`a part of type ${String(part.type)}`)
    if (part.type !== 'input_image') checkText(part.text, say)
  }
}

/** Faults of a file for OpenCode's import. */
export function openCodeFaults(text: string): readonly string[] {
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const file: unknown = JSON.parse(text)
  if (!isObject(file)) return ['no object']
  const info = objectAt(file, 'info')
  const isId = (id: unknown, kind: string) =>
    new RegExp(`^${kind}_[0-9a-f]{12}[0-9A-Za-z]{14}$`).test(String(id))
  if (!isId(info.id, 'ses')) say(`the session's id ${String(info.id)}`)
  for (const key of ['slug', 'projectID', 'directory', 'title', 'version'])
    if (typeof info[key] !== 'string' || info[key] === '') say(`a session without ${key}`)
  for (const key of ['created', 'updated'])
    if (!Number.isInteger(objectAt(info, 'time')[key])) say(`a session without ${key}`)
  let last = ''
  let lastMs = 0
  const messages = new Set<unknown>()
  const calls = new Set<unknown>()
  for (const message of listAt(file, 'messages')) {
    const one = objectAt(message, 'info')
    const created = objectAt(one, 'time').created
    if (!isId(one.id, 'msg') || String(one.id) <= last) say(`a message's id ${String(one.id)}`)
    if (!Number.isInteger(created) || Number(created) < lastMs) say('times do not rise')
    if (one.sessionID !== info.id) say('a message of another session')
    last = String(one.id)
    lastMs = Number(created)
    messages.add(one.id)
    checkOpenCodeInfo(one, messages, say)
    const parts = listAt(message, 'parts')
    if (parts.length === 0) say('a message without parts')
    let lastPart = ''
    for (const part of parts) {
      if (!isId(part.id, 'prt') || String(part.id) <= lastPart)
        say(`a part's id ${String(part.id)}`)
      if (part.sessionID !== info.id || part.messageID !== one.id) say('a part of another message')
      lastPart = String(part.id)
      checkOpenCodePart(part, calls, say)
    }
  }
  return faults
}

function checkOpenCodeInfo(
  info: Json,
  messages: ReadonlySet<unknown>,
  say: (fault: string) => void,
): void {
  if (info.role === 'user') {
    const model = objectAt(info, 'model')
    if (typeof model.providerID !== 'string' || typeof model.modelID !== 'string') say('a model')
    if (typeof info.agent !== 'string') say('an agent')
    return
  }
  if (info.role !== 'assistant') say(`role ${String(info.role)}`)
  if (!messages.has(info.parentID)) say('an answer to an unknown message')
  for (const key of ['modelID', 'providerID', 'mode', 'agent'])
    if (typeof info[key] !== 'string' || info[key] === '') say(`an answer without ${key}`)
  for (const key of ['cwd', 'root'])
    if (typeof objectAt(info, 'path')[key] !== 'string') say(`an answer without ${key}`)
  const tokens = objectAt(info, 'tokens')
  if (typeof info.cost !== 'number') say('cost')
  for (const key of ['input', 'output', 'reasoning'])
    if (typeof tokens[key] !== 'number') say(`tokens without ${key}`)
  for (const key of ['read', 'write'])
    if (typeof objectAt(tokens, 'cache')[key] !== 'number') say(`cache without ${key}`)
}

function checkOpenCodePart(part: Json, calls: Set<unknown>, say: (fault: string) => void): void {
  if (part.type === 'text') {
    checkText(part.text, say)
    return
  }
  if (part.type === 'file') {
    if (typeof part.mime !== 'string' || typeof part.url !== 'string') say('a file')
    return
  }
  if (part.type !== 'tool') say(`a part of type ${String(part.type)}`)
  const state = objectAt(part, 'state')
  const { start, end } = objectAt(state, 'time')
  if (!/^[\w-]{1,64}$/.test(String(part.callID)) || calls.has(part.callID)) say('a call id')
  calls.add(part.callID)
  if (typeof part.tool !== 'string' || !/^[\w-]{1,64}$/.test(part.tool)) say('a tool name')
  if (!isObject(state.input)) say('an input that is no object')
  if (!Number.isInteger(start) || Number(end) < Number(start)) say('times of a call')
  const said = state.status === 'error' ? state.error : state.output
  if (!['completed', 'error'].includes(String(state.status)) || typeof said !== 'string')
    say('a call without its result')
}
