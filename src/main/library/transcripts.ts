/** The transcripts of the library's conversations, read by pages, and one of them followed while it grows. */

export { openTranscripts, type Transcripts } from './sources/library-transcripts'
export { followTranscript, type TranscriptFeed } from './sources/transcript-feed'
