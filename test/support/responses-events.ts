type Json = Readonly<Record<string, unknown>>

/** Part of an answer of the Responses API. */
export type OutputItem =
  | { readonly type: 'reasoning'; readonly summary: readonly string[]; readonly encrypted?: string }
  | { readonly type: 'thoughts'; readonly text: string }
  | {
      readonly type: 'message'
      readonly text: string
      readonly phase?: string
      readonly annotations?: readonly Json[]
    }
  | { readonly type: 'refusal'; readonly text: string }
  | {
      readonly type: 'call'
      readonly id: string
      readonly name: string
      readonly arguments: string
    }
  | { readonly type: 'image'; readonly result: string }

export interface OutputFacts {
  readonly model?: string
  readonly usage?: Json
  /** Why it is not whole. */
  readonly incomplete?: string
  /** Characters in a delta. */
  readonly piece?: number
}

/** Makes the whole response, as it is told at its end or without a stream: written from OpenAI's description. */
export function wholeResponse(items: readonly OutputItem[], facts: OutputFacts = {}): Json {
  const { incomplete } = facts
  return {
    ...head(facts, incomplete === undefined ? 'completed' : 'incomplete'),
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output: wholeItems(items),
    usage: facts.usage ?? null,
  }
}

/** Makes the items of a whole response. */
export function wholeItems(items: readonly OutputItem[]): readonly Json[] {
  return items.map((item, index) => wholeItem(item, index))
}

/** Makes the events of an answer as OpenAI streams them, in order, each as the text of its event. */
export function responseEvents(items: readonly OutputItem[], facts: OutputFacts = {}): string[] {
  const events: Json[] = []
  const begun = { ...head(facts, 'in_progress'), output: [], usage: null }
  events.push({ type: 'response.created', response: begun })
  events.push({ type: 'response.in_progress', response: begun })
  items.forEach((item, output_index) => {
    const whole = wholeItem(item, output_index)
    const id = whole.id
    const place = { item_id: id, output_index }
    events.push({
      type: 'response.output_item.added',
      output_index,
      item: { ...whole, ...emptied(item), status: 'in_progress' },
    })
    events.push(...insideOf(item, place, facts.piece ?? 4))
    events.push({ type: 'response.output_item.done', output_index, item: whole })
  })
  const end = facts.incomplete === undefined ? 'completed' : 'incomplete'
  events.push({ type: `response.${end}`, response: wholeResponse(items, facts) })
  return events.map((event, sequence_number) => eventText({ ...event, sequence_number }))
}

/** Writes one event as its text. */
export function eventText(event: Json): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`
}

function head({ model = 'm' }: OutputFacts, status: string): Json {
  return { id: 'resp_1', object: 'response', created_at: 1, status, error: null, model }
}

function wholeItem(item: OutputItem, index: number): Json {
  const status = 'completed'
  switch (item.type) {
    case 'reasoning':
      return {
        id: `rs_${index}`,
        type: 'reasoning',
        summary: item.summary.map((text) => ({ type: 'summary_text', text })),
        ...(item.encrypted === undefined ? {} : { encrypted_content: item.encrypted }),
      }
    case 'thoughts':
      return {
        id: `rs_${index}`,
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: item.text }],
      }
    case 'message': {
      const { text, annotations = [], phase } = item
      const content = [{ type: 'output_text', text, annotations, logprobs: [] }]
      const told = phase === undefined ? {} : { phase }
      return { id: `msg_${index}`, type: 'message', status, role: 'assistant', content, ...told }
    }
    case 'refusal': {
      const content = [{ type: 'refusal', refusal: item.text }]
      return { id: `msg_${index}`, type: 'message', status, role: 'assistant', content }
    }
    case 'call': {
      const { id, name, arguments: given } = item
      return {
        id: `fc_${index}`,
        type: 'function_call',
        status,
        call_id: id,
        name,
        arguments: given,
      }
    }
    case 'image':
      return { id: `ig_${index}`, type: 'image_generation_call', status, result: item.result }
  }
}

function emptied({ type }: OutputItem): Json {
  if (type === 'reasoning' || type === 'thoughts') return { summary: [], content: [] }
  if (type === 'call') return { arguments: '' }
  return type === 'image' ? { result: null } : { content: [] }
}

function insideOf(item: OutputItem, place: Json, piece: number): readonly Json[] {
  const deltas = (type: string, text: string, more: Json) => [
    ...pieces(text, piece).map((delta) => ({ type: `${type}.delta`, ...place, ...more, delta })),
  ]
  const part = { content_index: 0 }
  switch (item.type) {
    case 'reasoning':
      return item.summary.flatMap((text, summary_index) => {
        const told = { type: 'summary_text', text }
        const of = { ...place, summary_index }
        const name = 'response.reasoning_summary'
        return [
          { type: `${name}_part.added`, ...of, part: { ...told, text: '' } },
          ...deltas(`${name}_text`, text, { summary_index }),
          { type: `${name}_text.done`, ...of, text },
          { type: `${name}_part.done`, ...of, part: told },
        ]
      })
    case 'thoughts':
      return [
        ...deltas('response.reasoning_text', item.text, part),
        { type: 'response.reasoning_text.done', ...place, ...part, text: item.text },
      ]
    case 'message':
    case 'refusal': {
      const isText = item.type === 'message'
      const name = isText ? 'output_text' : 'refusal'
      const key = isText ? 'text' : 'refusal'
      const told = { type: name, [key]: item.text, ...(isText ? { annotations: [] } : {}) }
      const annotations = isText ? (item.annotations ?? []) : []
      return [
        { type: 'response.content_part.added', ...place, ...part, part: { ...told, [key]: '' } },
        ...deltas(`response.${name}`, item.text, part),
        ...annotations.map((annotation, annotation_index) => ({
          type: 'response.output_text.annotation.added',
          ...place,
          ...part,
          annotation_index,
          annotation,
        })),
        { type: `response.${name}.done`, ...place, ...part, [key]: item.text },
        { type: 'response.content_part.done', ...place, ...part, part: told },
      ]
    }
    case 'call':
      return [
        ...deltas('response.function_call_arguments', item.arguments, {}),
        { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
      ]
    case 'image':
      return [{ type: 'response.image_generation_call.in_progress', ...place }]
  }
}

/** Cuts a text by whole characters, as servers send them. */
function pieces(text: string, size: number): readonly string[] {
  const letters = [...text]
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  )
}
