import { type KnownFormat, knownList, knownNames, knownObject } from '../known/known-format'

/** Kinds of files that a chunk names: they lie in the Drive, or elsewhere. */
export const fileKinds = [
  ...['driveImage', 'driveDocument', 'driveVideo', 'driveAudio', 'youtubeVideo', 'fileData'],
]

/** Members of a chunk with a file's bytes. */
export const inlineKinds = ['inlineImage', 'inlineFile', 'inlineData']

const works = ['executableCode', 'codeExecutionResult', 'functionCall', 'functionResponse'] as const

/** A call of code or of a function, or what came of one: a member of a chunk, or of a part. */
export type WorkKind = (typeof works)[number]

/** Kinds of calls and results. */
export const workKinds: ReadonlySet<string> = new Set(works)

/** Fields of a chunk that become fields of its entry. */
export const chunkFields: ReadonlySet<string> = new Set([
  ...['text', 'role', 'parts', 'isThought', 'tokenCount', 'createTime', 'errorMessage'],
  ...[...fileKinds, ...inlineKinds, ...works],
  // How the screen shows it, and what the model is sent with it.
  ...['thinkingBudget', 'thoughtSignatures', 'isEdited', 'isGeneratedUsingApiKey'],
])

/** Returns true for a chunk: the conversation's own members have other names. */
export function isChunk(value: object): boolean {
  return Object.keys(value).some((name) => chunkFields.has(name))
}

const part = knownObject([
  ...['text', 'thought', 'thoughtSignature', 'inlineData', 'fileData'],
  ...works,
])

/** Table of what the reader knows of chunks. Documents name no version; their other members are not looked at. */
export const aiStudioFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value) =>
      isChunk(value)
        ? knownObject(
            [...chunkFields, 'finishReason', 'grounding', 'branchParent', 'branchChildren'],
            { role: knownNames(['user', 'model']), parts: knownList(part) },
          )
        : 'any',
  },
}
