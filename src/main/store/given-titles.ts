// The titles and tags given to contexts: in the home, and in the folder of a context that came back.
export { readTitleInFolder, removeTitleInFolder } from './folder-title'
export { listContextNames } from './listing'
export { readKnownContexts, withStateLock } from './state'
export {
  type GivenLabels,
  type GivenTitle,
  type GivenTitles,
  readTitleFile,
  readTitles,
  type TitleStore,
  updateTitles,
} from './titles'
