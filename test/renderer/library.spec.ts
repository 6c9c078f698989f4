import { chosenConversations } from './browser/chosen'
import { wholeContexts } from './browser/contexts'
import { libraryFamilies } from './browser/families'
import { entryLabels } from './browser/labels'
import { library } from './browser/library'
import { lostAndFound } from './browser/lost'
import { smartListsOfLibrary } from './browser/smart-lists'
import { sourceRoots } from './browser/sources'
import { conversationTags } from './browser/tags'
import { conversationTitles } from './browser/titles'
import { contextUpkeep } from './browser/upkeep'
import { harnessOfFile } from './harness/serve'

// What is done with conversations as a whole, and what is shown of them: the library, names and marks, sources, upkeep.
const harness = harnessOfFile()
wholeContexts(harness)
library(harness)
libraryFamilies(harness)
smartListsOfLibrary(harness)
chosenConversations(harness)
entryLabels(harness)
lostAndFound(harness)
sourceRoots(harness)
conversationTitles(harness)
conversationTags(harness)
contextUpkeep(harness)
