import { behaviour } from './browser/behaviour'
import { branches } from './browser/branches'
import { exporting } from './browser/export'
import { finding } from './browser/find'
import { drawnFormulas } from './browser/formulas'
import { history } from './browser/history'
import { jsonTrees } from './browser/json-tree'
import { keptSearches } from './browser/kept-searches'
import { keyboard } from './browser/keyboard'
import { landing } from './browser/landing'
import { familyMap } from './browser/map'
import { mapPainting } from './browser/map-painting'
import { outline } from './browser/outline'
import { picturesInTexts } from './browser/pictures'
import { queryCompletion } from './browser/query-completion'
import { rooms } from './browser/rooms'
import { scrolling } from './browser/scrolling'
import { searching } from './browser/search'
import { timeMachine } from './browser/sent'
import { voices } from './browser/voices'
import { windowBorder } from './browser/window-border'
import { harnessOfFile } from './harness/serve'

// What is read: the transcript, its branches and hits.
const harness = harnessOfFile()
behaviour(harness)
branches(harness)
exporting(harness)
finding(harness)
drawnFormulas(harness)
history(harness)
jsonTrees(harness)
keptSearches(harness)
keyboard(harness)
landing(harness)
familyMap(harness)
mapPainting(harness)
outline(harness)
picturesInTexts(harness)
queryCompletion(harness)
rooms(harness)
scrolling(harness)
searching(harness)
timeMachine(harness)
voices(harness)
windowBorder(harness)
