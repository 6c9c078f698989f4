/**
 * Fields of a message of the editor, as versions up to the proved one write them: words, thoughts and calls, and the state of what was
 * open and shown beside them, which the reader leaves out.
 */
export const bubbleFields: readonly string[] = [
  ...['_v', 'type', 'id', 'bubbleId', 'serverBubbleId', 'requestId', 'usageUuid', 'checkpointId'],
  ...['afterCheckpointId', 'createdAt', 'text', 'rawText', 'richText', 'delegate', 'initText'],
  ...['thinking', 'thinkingDurationMs', 'allThinkingBlocks', 'isThought', 'intermediateChunks'],
  ...['capabilities', 'capabilitiesRan', 'capabilityStatuses', 'capabilityType'],
  ...['capabilityContexts', 'supportedTools', 'toolResults', 'toolFormerData', 'codeBlocks'],
  ...['suggestedCodeBlocks', 'userResponsesToSuggestedCodeBlocks', 'diffsForCompressingFiles'],
  ...['assistantSuggestedDiffs', 'diffHistories', 'diffsSinceLastApply', 'fileDiffTrajectories'],
  ...['modelInfo', 'modelType', 'tokenCount', 'tokenCountUpUntilHere', 'tokenDetailsUpUntilHere'],
  ...['timingInfo', 'errorDetails', 'isRefunded', 'unifiedMode', 'isAgentic', 'isChat', 'isNudge'],
  ...['isQuickSearchQuery', 'isPlanExecution', 'skipRendering', 'useWeb', 'isCapabilityIteration'],
  ...['context', 'contextPieces', 'contextWindowStatusAtCreation', 'editTrailContexts', 'images'],
  ...['attachedCodeChunks', 'attachedFileCodeChunksUris', 'attachedFileCodeChunksMetadataOnly'],
  ...['attachedFolders', 'attachedFoldersNew', 'attachedFoldersListDirResults'],
  ...['attachedHumanChanges', 'humanChanges', 'codebaseContextChunks', 'relevantFiles'],
  ...['recentlyViewedFiles', 'recentLocationsHistory', 'deletedFiles', 'projectLayouts'],
  ...['approximateLintErrors', 'lints', 'multiFileLinterErrors', 'interpreterResults'],
  ...['consoleLogs', 'uiElementPicked', 'commits', 'pullRequests', 'gitDiffs', 'notepads'],
  ...['cursorRules', 'cursorCommands', 'cursorCommandsExplicitlySet', 'knowledgeItems'],
  ...['docsReferences', 'documentationSelections', 'webReferences', 'aiWebSearchResults'],
  ...['externalLinks', 'symbolLinks', 'fileLinks', 'summarizedComposers', 'pastChats'],
  ...['pastChatsExplicitlySet', 'cachedConversationSummary', 'conversationSummary'],
  ...['conversationState', 'existedSubsequentTerminalCommand', 'existedPreviousTerminalCommand'],
  ...['todos', 'mcpDescriptors', 'workspaceUris', 'workspaceProjectDir', 'turnDurationMs'],
  ...['aiStreamingSettings', 'allMentions', 'mentions', 'eventId', 'subagentReturn'],
]
