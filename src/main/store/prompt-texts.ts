// The texts and images of a home that go into a prompt, and the record of the prompt that was sent.
export { readCompactionTexts, readPromptText } from './texts/compaction-prompts'
export { type NoteTexts, readNotes } from './texts/notes'
export { readAgents, readContextImage } from './texts/prompt-files'
export {
  type ChangedPrompt,
  openPromptRecord,
  type PromptRecord,
  readCombinedPrompt,
} from './texts/prompt-record'
