import { formatCount } from '../../ui/format/format'
import type { MessageChange } from './align-messages'
import type { Comparison } from './compare'

/** Describes what differs between two requests, in a sentence or two. */
export function describeComparison(comparison: Comparison): string {
  const { model, system, messages, tools, parameters } = comparison
  const kinds = (['added', 'removed', 'changed'] as const).flatMap((type) => {
    const number = messages.filter((change) => change.type === type).length
    return number === 0 ? [] : [`${formatCount(number)} ${type}`]
  })
  const equal = messages.reduce((sum, change) => sum + sameIn(change), 0)
  const others = [
    ...(model === undefined ? [] : ['the model']),
    ...(system.every(({ type }) => type === 'same') ? [] : ['the system prompt']),
    ...(tools.length === 0 ? [] : ['the tools']),
    ...(parameters.length === 0 ? [] : ['the parameters']),
  ]
  if (kinds.length === 0 && others.length === 0) return 'Nothing differs.'
  const ofMessages =
    kinds.length > 0
      ? `Messages: ${[...kinds, ...(equal === 0 ? [] : [`${formatCount(equal)} equal`])].join(', ')}.`
      : equal === 0
        ? 'No messages in either.'
        : equal === 1
          ? 'The one message is equal.'
          : `All ${formatCount(equal)} messages are equal.`
  return others.length === 0
    ? `${ofMessages} Nothing else differs.`
    : `${ofMessages} ${kinds.length === 0 ? 'Different' : 'Different too'}: ${others.join(', ')}.`
}

function sameIn(change: MessageChange): number {
  return change.type === 'same' ? change.messages.length : 0
}
