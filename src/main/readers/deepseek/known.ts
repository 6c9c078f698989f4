import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'

const fragment = knownObject(
  ['id', 'type', 'content', 'results', 'elapsed_secs'],
  {},
  knownTypes('type', allAs(['REQUEST', 'RESPONSE', 'THINK', 'SEARCH'], 'shared' as const)),
)
const message = knownObject(['files', 'model', 'inserted_at'], { fragments: knownList(fragment) })
const node = knownObject(['id', 'parent', 'children'], { message })

/** Table of what the reader knows of DeepSeek's nodes. Exports name no version; the members of a conversation are not looked at. */
export const deepseekFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value): Known =>
      'message' in value || 'children' in value || 'parent' in value ? node : 'any',
  },
}
