// The names of the client's calls. All else about a call (method, path, options, their checks, documentation, answer) is made of the
// OpenAPI document by scripts/client/.
//
// A row is `name: 'operationId(arguments)'`. The arguments come first in a call, all other parameters are options in camel case.
// An argument is a parameter in camel case, or `argument: parameter` under another name. These parameters are special: `image` is
// sent in a form or by its address, `body` is the whole body of the request.
//
// A row with more to say is an object with `call` and some of these:
//   renames   options whose names are not their parameters' in camel case: { option: 'parameter' }
//   without   parameters that the call does not send
//   fixed     parameters in the query that have one value in this call
//   options   the name of the type of the options; operationId + Options, or Filter for a list, unless given
//   takes     a type of src/shapes.ts that stands for all options, such as a union
//   types     types of arguments and options where that of the document is another, by name
//   words     what arguments and options mean where the document does not say, by name
//   about     the documentation where the summary of the operation is of more calls than one
//   needed    options that this call cannot do without, where the document calls them optional
//   answers   the type of the answer where it is another than that of the document
//   path      the path where an argument is more than one part of it
//   reads     how the answer is read: a reader of src/service/readers.ts
//   creates   whether a retry would create something twice, where the status (201 or 202) says otherwise
//   timeoutMs the time limit unless the program gives one
//
// An operation with a cursor gives two calls: `list` walks all pages, `page` reads one; `users` likewise has `usersPage`.

const anHourMs = 3_600_000;
const model = 'string | number';
const thisPerson = 'This person alone; all unless given.';
const staysAsItIs = 'Settings that are left out stay as they are.';

const perceptionWords = {
  decisionSimilarity: 'The similarity, 0 to 1, from which a face is taken for a person; 0.5 unless given.',
  wantsLiveness: 'Whether a search distinguishes living faces from images of them.',
  namesRecognition: 'Whether general recognition names faces by it.',
  refusedProblems: 'Problems for which an image is not added.',
};
const accountWords = { resultDays: 'Days for which results are kept.' };
const trackWords = { streamId: 'The stream.', personId: 'The person who was recognised.' };
const outputWords = {
  settings: 'Those that are left out stay as they are; the kind stays what it was.',
  secrets: 'Those that are left out stay while the receiver does.',
};
const sourceWords = {
  source: 'In place of the current one; a password that is left out stays while host and user name do.',
  settings: staysAsItIs,
};
const moments = { from: 'From then on.', to: 'Before then.' };
const compat = { compat: 'CompatOptions' };
const compatWords = {
  compat: 'For a client of another service: the key speaks its protocol, and opens nothing else.',
  callLimit:
    'Calls that the key may make in all, those used already among them; null: no limit of its own. A key with one manages no keys.',
  expiresAt: 'When the key ends; null: never.',
};
const thumbnailWords = {
  width: 'A JPEG that is neither wider nor higher than so many pixels; the image as it came unless given.',
};
const thumbnails = { options: 'ThumbnailOptions', words: thumbnailWords };

export const calls = {
  recognise: {
    call: 'predictImage(image)',
    without: ['model_id'],
    renames: { predictType: 'predicttype' },
    types: { parts: 'readonly RecognitionPart[]', textLanguages: 'readonly TextLanguage[]' },
    words: {
      predictType:
        '`dense` unless given: the parts of the ten largest objects are classified one by one; `basic`: not.',
      parts: 'What is looked for; what the service is set to unless given.',
      textLanguages:
        'Of the text, by ISO 639-1: only their letters are read. Those of the service unless given.',
    },
    options: 'RecogniseOptions',
    answers: 'Recognition',
    about: 'General recognition: ranked classes, objects with counts, texts and faces (v1 `/predict/image`).',
  },
  recogniseWith: {
    call: 'predictImage(image)',
    without: ['predicttype', 'parts', 'text_languages'],
    types: { modelId: model },
    needed: ['modelId'],
    words: { modelId: 'A classifier, by UID or number.' },
    options: 'RecogniseWithOptions',
    answers: 'WithFileId<CustomRecognition>',
    reads: 'withFileId',
    about: 'Ranked classes of a classifier of your choice (v1 `/predict/image` with `model_id`).',
  },
  detect: {
    call: 'predict(image)',
    types: { modelId: model },
    options: 'DetectOptions',
    answers: 'WithFileId<Detection>',
    reads: 'withFileId',
    about: "Labelled boxes of any model, a classifier's classes too (v2 `/predict`).",
  },
  detectObjects: {
    call: 'predictObjectDetection(image)',
    types: { modelId: model },
    options: 'DetectObjectsOptions',
    answers: 'WithFileId<ObjectDetection>',
    reads: 'withFileId',
    about:
      'Labelled boxes of a detector (v1 `/predict/object_detection/`). The image is sent as it is: less than as base64.',
  },
  preview: { call: 'previewImage(image)', options: 'PreviewOptions', answers: 'Preview', reads: 'preview' },
  faces: {
    about:
      'Commands of v1 for known faces. Their results are results also where `status` is 0 or below: look at it.',
    search: {
      call: 'predictFace(image)',
      without: ['command', 'person_name', 'key_id'],
      types: { modelId: model },
      needed: ['modelId'],
      words: { modelId: 'The perception.', personIdFilter: thisPerson },
      options: 'FaceSearchOptions',
      answers: 'WithFileId<FaceSearch>',
      reads: 'withFileId',
      about: 'Searches a perception for the faces of an image.',
    },
    readImage: {
      call: 'readFaceImage(imageUrl: token)',
      about: "The image that an `image_url` leads to, for an hour; always of this client's service.",
    },
    createPerson: {
      call: 'predictFace()',
      fixed: { command: 'create_person' },
      without: ['url', 'person_id_filter', 'key_id'],
      types: { modelId: model },
      needed: ['modelId', 'personName'],
      words: { modelId: 'The perception.', personName: '1 to 200 characters.' },
      options: 'CreatePersonOptions',
      answers: 'CreatedPerson',
      creates: true,
      about: 'Adds a person to a perception.',
    },
    insertImage: {
      call: 'predictFace(image)',
      fixed: { command: 'insert_person_image' },
      without: ['model_id', 'person_name', 'key_id'],
      renames: { personId: 'person_id_filter' },
      needed: ['personId'],
      words: { personId: 'The person, as `createPerson` answered it.' },
      options: 'InsertImageOptions',
      answers: 'InsertedImage',
      creates: true,
      about: 'Adds a face image to a person.',
    },
    insertImageByKeyId: {
      call: 'predictFace(image)',
      fixed: { command: 'insert_person_image_key_id' },
      without: ['person_id_filter', 'person_name'],
      types: { modelId: model },
      needed: ['modelId', 'keyId'],
      words: {
        modelId: 'The perception.',
        keyId: 'Your own id of the person, 1 to 200 characters; a new one creates a person of that name.',
      },
      options: 'InsertImageByKeyIdOptions',
      answers: 'InsertedImage',
      creates: true,
      about: 'Adds a face image to the person of your own id.',
    },
  },
  perceptions: {
    about: 'Collections of people whose faces are known.',
    list: 'listPerceptions()',
    create: { call: 'createPerception()', words: perceptionWords },
    read: 'readPerception(modelId: id)',
    change: { call: 'changePerception(modelId: id)', words: perceptionWords },
    remove: 'deletePerception(modelId: id)',
    search: {
      call: 'searchPerception(image)',
      renames: { modelId: 'id' },
      words: { modelId: 'The perception.', personId: thisPerson },
    },
  },
  archives: {
    about: 'Perceptions carried from one service to another.',
    export: 'exportPerception(modelId: id)',
    import: {
      call: 'importPerception(archive: body)',
      types: { archive: 'Blob' },
      words: { archive: 'An exported perception; in Node, `await openAsBlob(path)`.' },
      timeoutMs: anHourMs,
    },
  },
  calibration: {
    about: 'What a cosine means in a perception.',
    read: 'readCalibration(modelId: id)',
    change: { call: 'changeCalibration(modelId: id)', takes: 'ChangeCalibrationOptions' },
    reset: 'deleteCalibration(modelId: id)',
  },
  embedders: {
    about: 'By which model the images of a perception are described.',
    read: 'readEmbedder(modelId: id)',
    change: {
      call: 'changeEmbedder(modelId: id)',
      words: { leaveOut: 'Whether to change although images cannot be described; false unless given.' },
    },
    cancelChange: 'cancelEmbedderChange(modelId: id)',
    forgetKept: 'forgetKeptEmbedders(modelId: id)',
  },
  people: {
    about: 'The people of perceptions.',
    list: { call: 'listPeople(modelId: id)', options: 'PeopleFilter' },
    create: { call: 'createPerson(modelId: id)', options: 'CreatePersonFields' },
    read: 'readPerson(id)',
    change: 'changePerson(id)',
    remove: 'deletePerson(id)',
    merge: { call: 'mergePerson(id)', options: 'MergeOptions', words: { into: 'The person who stays.' } },
  },
  faceImages: {
    about: "Images of people's faces.",
    list: {
      call: 'listImages(of: id)',
      path: '/api/{of}/images',
      types: { of: 'ImagesOf' },
      about: 'Images of a perception or of a person, the newest first.',
    },
    add: { call: 'addImage(image)', renames: { personId: 'id' }, words: { personId: 'The person.' } },
    addByKeyId: {
      call: 'addImageByKeyId(image)',
      renames: { modelId: 'id' },
      words: { modelId: 'The perception.' },
    },
    read: 'readImage(id)',
    readContent: {
      call: 'readFaceImageContent(id)',
      options: 'FaceThumbnailOptions',
      words: { ...thumbnailWords, crop: 'With `width`: a square around the face.' },
    },
    reEmbed: 'reEmbedImage(id)',
    remove: 'deleteImage(id)',
    removeMany: 'deleteImages(modelId: id, imageIds)',
    move: { call: 'moveImages(modelId: id, imageIds)', takes: 'MoveImagesOptions', creates: true },
  },
  corrections: {
    about: '"This is not X": faces for which a search proposes the person no more.',
    list: 'listCorrections(personId: id)',
    add: {
      call: 'correctPerson(image)',
      without: ['image_id'],
      renames: { personId: 'id' },
      options: 'CorrectionOptions',
      words: { personId: 'The person whom it is not.' },
      about: "The largest face of this image is not the person's. The image is not kept.",
    },
    addImage: {
      call: 'correctPerson(imageId)',
      without: ['url'],
      renames: { personId: 'id' },
      options: 'CorrectionOptions',
      words: { personId: 'The person whom it is not.' },
      about: "The face of this image, which is another person's, is not the person's.",
    },
    remove: 'deleteCorrection(personId: id, id: correction_id)',
  },
  datasets: {
    about: 'Labelled images to train with.',
    list: 'listDatasets()',
    create: {
      call: 'createDataset()',
      words: { multiLabel: 'Whether an image may have any number of classes; false unless given.' },
    },
    read: 'readDataset(id)',
    rename: { call: 'changeDataset(id)', options: 'RenameDatasetOptions' },
    remove: 'deleteDataset(id)',
    import: {
      call: 'importDataset(id, zip: file)',
      types: { zip: 'Blob' },
      options: 'ImportOptions',
    },
    importFindings: {
      call: 'readImportFindings(id)',
      options: 'ImportFindingsOptions',
      answers: 'string',
    },
    export: { call: 'exportDataset(id)', options: 'ExportOptions' },
    check: 'checkDataset(id)',
    split: {
      call: 'splitDataset(id)',
      options: 'SplitOptions',
      words: { heldOut: 'The share of each class that is held out, 0 to 0.9; 0.2 unless given.' },
    },
  },
  datasetClasses: {
    about: 'What images of a dataset can show; `datasets.read` lists them.',
    create: { call: 'createDatasetClass(datasetId: id)', options: 'DatasetClassOptions' },
    rename: { call: 'changeDatasetClass(datasetId: id, id: class_id)', options: 'DatasetClassOptions' },
    merge: {
      call: 'mergeDatasetClass(datasetId: id, id: class_id)',
      options: 'MergeClassOptions',
      words: { into: 'The class that stays.' },
    },
    remove: {
      call: 'deleteDatasetClass(datasetId: id, id: class_id)',
      options: 'RemoveClassOptions',
      words: { force: 'Also a class that images have; its labels are deleted with it.' },
    },
  },
  datasetImages: {
    about: 'Images of datasets, and what they show.',
    list: {
      call: 'listDatasetImages(datasetId: id)',
      options: 'DatasetImageFilter',
      words: { classId: 'A class that they show.', labelled: 'Whether they are labelled.' },
    },
    add: {
      call: 'addDatasetImages(datasetId: id, images: file)',
      types: { images: 'readonly NamedImage[]' },
      options: 'AddImagesOptions',
      words: {
        label: 'The class that they show, created when there is none of this name; of classification alone.',
      },
    },
    fetch: {
      call: 'fetchDatasetImages(datasetId: id, urls)',
      types: { urls: 'readonly (string | URL)[]' },
      options: 'AddImagesOptions',
      words: {
        label: 'The class that they show, created when there is none of this name; of classification alone.',
      },
    },
    read: 'readDatasetImage(datasetId: id, id: image_id)',
    readContent: { call: 'readDatasetImageContent(datasetId: id, id: image_id)', ...thumbnails },
    setLabels: {
      call: 'setDatasetLabels(datasetId: id, id: image_id, labels)',
      types: { labels: 'readonly LabelInput[] | null', ifRevision: 'number' },
      renames: { ifRevision: 'if-match' },
      options: 'SetLabelsOptions',
      words: {
        ifRevision:
          'The `labels_revision` that was seen: when the labels are others by now, nothing changes and the error is `labels_changed`.',
      },
    },
    suggest: 'suggestDatasetLabels(datasetId: id, id: image_id)',
    remove: 'deleteDatasetImage(datasetId: id, id: image_id)',
    removeMany: 'deleteDatasetImages(datasetId: id, ids: image_ids)',
  },
  models: {
    about: 'Models that come with the service, and those that the account created.',
    builtIn: 'listBuiltInModels()',
    list: 'listModels()',
    create: 'createModel()',
    read: 'readModel(id)',
    change: 'changeModel(id)',
    remove: 'deleteModel(id)',
    switchTo: 'switchVersion(id, version: number)',
  },
  modelRuns: {
    about: 'Training runs of models, and comparisons of their versions.',
    start: { call: 'trainModel(modelId: id, run: body)', types: { run: 'NewRun' } },
    list: 'listRuns(modelId: id)',
    compare: {
      call: 'compareVersions(modelId: id, wanted: body)',
      types: { wanted: 'NewComparison' },
    },
  },
  modelVersions: {
    about: 'The versions of models.',
    list: 'listVersions(modelId: id)',
    read: 'readVersion(modelId: id, number)',
    report: 'readVersionReport(modelId: id, number)',
    reportPage: 'readReportPage(modelId: id, number)',
    download: 'downloadVersion(modelId: id, number)',
    upload: {
      call: 'uploadVersion(modelId: id, files: file)',
      types: { files: 'readonly NamedImage[]', options: 'ModelImportOptions' },
      options: 'UploadVersionOptions',
      words: {
        activate: 'Whether to activate the version; true unless given.',
        options: 'What the files do not say themselves.',
      },
      timeoutMs: anHourMs,
    },
    change: {
      call: 'changeVersion(modelId: id, number, importOptions: body)',
      options: 'NewVersionOptions',
      words: { activate: 'Whether to activate the version; true unless given.' },
      timeoutMs: anHourMs,
    },
    changeSettings: 'changeVersionSettings(modelId: id, number)',
    remove: 'deleteVersion(modelId: id, number)',
  },
  drops: {
    about: 'Drops: images arrive by FTP, get keywords, and are sent to a destination.',
    list: 'listDrops()',
    create: { call: 'createDrop()', words: { settings: 'Those that are left out are as usual.' } },
    read: 'readDrop(id)',
    change: { call: 'changeDrop(id)', words: { settings: staysAsItIs } },
    remove: 'deleteDrop(id)',
    renewKey: { call: 'renewDropKey(id)', creates: true },
    testDestination: 'testDropDestination(id)',
  },
  dropFiles: {
    about: 'The files of drops, and what became of them.',
    list: { call: 'listDropFiles(dropId: id)', options: 'DropFileFilter' },
    read: 'readDropFile(dropId: id, id: file_id)',
    readContent: { call: 'readDropFileContent(dropId: id, id: file_id)', ...thumbnails },
    retry: { call: 'retryDropFile(dropId: id, id: file_id)', creates: true },
    retryFailed: 'retryDrop(dropId: id)',
    remove: 'deleteDropFile(dropId: id, id: file_id)',
    purge: 'purgeDropFiles(dropId: id, state)',
  },
  streams: {
    about: 'Streams: cameras and other live sources, and what is looked for in them.',
    list: 'listStreams()',
    create: { call: 'createStream()', words: { settings: 'Those that are left out are as usual.' } },
    read: 'readStream(id)',
    change: { call: 'changeStream(id)', words: sourceWords },
    remove: 'deleteStream(id)',
    testSource: 'testStreamSource(source)',
    test: {
      call: 'testStream(id)',
      options: 'TestStreamOptions',
      words: { source: 'That of the stream unless given.' },
    },
    // A second token does no harm.
    createViewToken: { call: 'createStreamViewToken(id)', options: 'ViewTokenOptions', creates: false },
  },
  streamViews: {
    about: 'What streams show now.',
    readFrame: { call: 'readStreamFrame(id)', options: 'FrameOptions' },
    view: { call: 'viewStream(id)', options: 'ViewOptions' },
    followTags: { call: 'followStreamTags(id)', answers: 'StreamTags', reads: 'eventData' },
  },
  streamEvents: {
    about: 'What happened in streams.',
    list: { call: 'listStreamEvents()', options: 'SeenFilter', words: { ...trackWords, ...moments } },
  },
  streamTracks: {
    about: 'Objects that were followed in streams.',
    list: { call: 'listStreamTracks()', options: 'SeenFilter', words: { ...trackWords, ...moments } },
    read: 'readStreamTrack(id)',
    readSnapshot: { call: 'readStreamSnapshot(id)', options: 'SnapshotOptions' },
    readClip: 'readStreamClip(id)',
    remove: 'deleteStreamTrack(id)',
    refusePerson: 'refuseStreamPerson(id)',
  },
  streamOutputs: {
    about: 'Where events of streams are sent: webhooks and MQTT brokers.',
    list: 'listStreamOutputs()',
    create: 'createStreamOutput()',
    read: 'readStreamOutput(id)',
    change: { call: 'changeStreamOutput(id)', words: outputWords },
    remove: 'deleteStreamOutput(id)',
    test: 'testStreamOutput(id)',
  },
  videos: {
    about: 'Video files, and what was found when in them.',
    list: 'listVideos()',
    upload: {
      call: 'createVideo(file)',
      without: ['address'],
      types: { file: 'File', settings: 'VideoSettingsInput' },
      words: {
        name: '1 to 200 characters; the name of the file unless given.',
        settings: 'Those that are left out are as usual.',
      },
      about:
        'Sends a file and has it analysed; it is kept when the answer comes. Give large files a `timeoutMs`.',
    },
    addByAddress: {
      call: 'createVideo(address)',
      without: ['file'],
      words: {
        name: '1 to 200 characters; the name of the file unless given.',
        settings: 'Those that are left out are as usual.',
      },
      about: 'Has the service fetch a video from an http or https address, and analyse it.',
    },
    read: 'readVideo(id)',
    analyse: { call: 'analyseVideo(id)', words: { settings: staysAsItIs } },
    readTimeline: { call: 'readVideoTimeline(id)', without: ['format'], about: 'What was found when.' },
    readTimelineFile: {
      call: 'readVideoTimeline(id, format)',
      types: { format: "'csv' | 'vtt'" },
      answers: 'Blob',
      about:
        'The same for spreadsheets (a line for each track), or for players (WebVTT, a cue for each track).',
    },
    readFile: 'readVideoFile(id)',
    readThumbnail: 'readVideoThumbnail(id, thumbnail: blob)',
    remove: 'deleteVideo(id)',
  },
  jobs: {
    about: 'Work that continues after the request that started it.',
    list: {
      call: 'listJobs()',
      options: 'JobFilter',
      words: { kind: 'Such as `dataset-import`.', subject: 'Such as the id of a dataset.' },
    },
    read: 'readJob(id)',
    follow: { call: 'followJob(id)', answers: 'Job', reads: 'eventData' },
    cancel: 'cancelJob(id)',
  },
  files: {
    about: 'Analyses by `fileid`, for as long as the account keeps them.',
    list: { call: 'listFiles()', options: 'FileFilter', words: moments },
    read: 'readFile(fileid)',
    readContent: { call: 'readFileContent(fileid)', ...thumbnails },
    remove: 'deleteFile(fileid)',
  },
  keys: {
    about: "The account's own keys.",
    list: 'listKeys()',
    create: { call: 'createKey()', types: compat, words: compatWords },
    change: {
      call: 'changeKey(id)',
      types: compat,
      words: {
        ...compatWords,
        compat: 'In place of all settings of a key for clients of another service.',
        force: 'Gives the last good key of the account an end or a limit too.',
      },
    },
    revoke: { call: 'revokeKey(id)', words: { force: 'Revokes the last good key of the account too.' } },
  },
  usage: {
    about: 'Calls that counted, by UTC day, key and operation.',
    sums: {
      call: 'readUsage(groupBy)',
      without: ['limit', 'cursor'],
      needed: ['groupBy'],
      options: 'UsageSumsOptions',
      words: { keyId: 'One key.' },
      answers: 'UsageSums',
      about: 'The sums of every day, operation or key, in one answer.',
    },
    list: {
      call: 'readUsage()',
      without: ['group_by'],
      options: 'UsageFilter',
      words: { keyId: 'One key.' },
      answers: 'UsagePage',
      about: 'Calls by day, key and operation, the newest day first, with the total of all pages.',
    },
  },
  account: 'readAccount()',
  session: {
    about: 'Signing in and out. The session itself is in a cookie, which a browser keeps.',
    state: 'readSignIn()',
    signIn: {
      call: 'signIn()',
      words: { code: 'Of the authenticator, or a recovery code; required after the error `code_needed`.' },
    },
    signUp: 'signUp()',
    read: 'readSession()',
    signOut: 'signOut()',
    createKey: 'createSessionKey()',
    list: 'listSessions()',
    end: 'endSession(id)',
    endAll: 'endSessions()',
  },
  links: {
    about: 'Links that sign a user in once; the token is what follows their #.',
    look: 'lookAtLink(token)',
    use: {
      call: 'useLink(token)',
      words: {
        email: 'Required by the first link alone.',
        name: 'Required of a new user.',
        code: 'Of the authenticator, or a recovery code; required where the link `needs_code`.',
      },
    },
    checkPassword: 'checkPassword(password)',
  },
  ownUser: {
    about: 'What users change of themselves.',
    change: { call: 'changeUser()', words: { password: 'Required for another mail address.' } },
    changePassword: 'changePassword()',
    prepareTotp: 'prepareTotp()',
    confirmTotp: 'confirmTotp(code)',
    removeTotp: 'removeTotp()',
    renewRecoveryCodes: { call: 'renewRecoveryCodes(code)', creates: true },
    dismissWrongCodes: 'dismissWrongCodes()',
  },
  members: {
    about: 'The users of the account, for its owners.',
    list: { call: 'listMembers()', options: 'UserSearch' },
    change: 'changeMember(id)',
    keys: 'listKeysOfMember(id)',
    remove: 'removeMember(id)',
  },
  invitations: {
    about: 'Invitations into the account, for its owners.',
    list: 'listInvitations()',
    create: { call: 'createInvitation()', options: 'InvitationOptions' },
    withdraw: 'withdrawInvitation(id)',
  },
  audit: {
    about: 'Who changed what, for the owners of the account.',
    list: {
      call: 'listAudit()',
      options: 'AuditFilter',
      words: {
        userId: 'Who did it.',
        from: 'The first moment that counts.',
        to: 'The first that counts no more.',
      },
    },
  },
  admin: {
    about: 'The whole service, for its administrators.',
    accounts: 'listAccounts()',
    createAccount: { call: 'createAccount()', words: accountWords },
    changeAccount: { call: 'changeAccount(id)', words: accountWords },
    deletions: 'listAccountDeletions()',
    deleteAccount: 'deleteAccount(accountId: id)',
    undeleteAccount: 'undeleteAccount(accountId: id)',
    invite: { call: 'inviteToAccount(accountId: id)', options: 'InvitationOptions' },
    users: { call: 'listUsers()', options: 'UserSearch' },
    resetUser: 'resetUser(id)',
    service: 'readService()',
    sweeps: 'readSweeps()',
    confirmSweep: 'confirmSweep(store)',
    models: 'listCatalogue()',
    settings: 'listSettings()',
    compatListeners: {
      about: 'Ports for clients of other services that send no key.',
      list: 'listCompatListeners()',
      create: {
        call: 'createCompatListener()',
        words: {
          port: 'One of the setting `compatListenerPorts`.',
          keyId: 'A key for clients of other services: whoever the listener lets in has its access.',
        },
      },
      delete: 'deleteCompatListener(id)',
    },
  },
  follow: { call: 'followAccount()', answers: 'AccountEvent', reads: 'events' },
  health: { about: 'How the service is.', live: 'isAlive()', ready: 'isReady()' },
};
