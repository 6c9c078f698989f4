import { type KnownFormat, knownList, knownNames, knownObject } from '../known/known-format'

/** Fields of a chunk that become fields of its entry. */
export const chunkFields: ReadonlySet<string> = new Set([
  ...['text', 'role', 'parts', 'isThought', 'tokenCount', 'createTime', 'inlineImage'],
  ...['driveImage', 'driveDocument', 'driveVideo', 'driveAudio', 'inlineFile', 'inlineData'],
  ...['youtubeVideo', 'executableCode', 'codeExecutionResult', 'errorMessage'],
  // How the screen shows it, and what the model is sent with it.
  ...['thinkingBudget', 'thoughtSignatures', 'isEdited', 'isGeneratedUsingApiKey'],
])

const part = knownObject([
  ...['text', 'thought', 'thoughtSignature', 'inlineData', 'executableCode'],
  'codeExecutionResult',
])

/** Table of what the reader knows of chunks. Documents name no version; their other members are not looked at. */
export const aiStudioFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value) =>
      'role' in value
        ? knownObject(
            [...chunkFields, 'finishReason', 'grounding', 'branchParent', 'branchChildren'],
            { role: knownNames(['user', 'model']), parts: knownList(part) },
          )
        : 'any',
  },
}
