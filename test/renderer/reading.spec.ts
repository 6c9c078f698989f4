import { behaviour } from './browser/behaviour'
import { exporting } from './browser/export'
import { drawnFormulas } from './browser/formulas'
import { history } from './browser/history'
import { jsonTrees } from './browser/json-tree'
import { keyboard } from './browser/keyboard'
import { longAnswers } from './browser/long-answers'
import { picturesInTexts } from './browser/pictures'
import { rooms } from './browser/rooms'
import { scrolling } from './browser/scrolling'
import { timeMachine } from './browser/sent'
import { voices } from './browser/voices'
import { windowBorder } from './browser/window-border'
import { harnessOfFile } from './harness/serve'

// What is read: the transcript, and what stands in it.
const harness = harnessOfFile()
behaviour(harness)
exporting(harness)
drawnFormulas(harness)
history(harness)
jsonTrees(harness)
keyboard(harness)
longAnswers(harness)
picturesInTexts(harness)
rooms(harness)
scrolling(harness)
timeMachine(harness)
voices(harness)
windowBorder(harness)
