// The texts and images of a home that go into a prompt, and the record of the prompt that was sent.
export { readCompactionTexts, readPromptText } from './compact-texts'
export { readAgents, readContextImage } from './context-extras'
export { type NoteTexts, readNotes } from './notes'
export {
  type ChangedPrompt,
  openPromptRecord,
  type PromptRecord,
  readCombinedPrompt,
} from './prompt-record'
