// The titles and tags given to contexts: in the home, and in the folder of a context that came back.
export { readTitleInFolder, removeTitleInFolder } from './folder-title'
export { contextNames } from './listing'
export { readKnownContexts, withHomeFiles } from './state'
export {
  changeTitles,
  type Given,
  type GivenTitle,
  type GivenTitles,
  readTitleFile,
  readTitles,
  type Titles,
} from './titles'
