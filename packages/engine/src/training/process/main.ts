import { trainClassifier } from '../classifier/train-classifier.js';
import { trainDetector } from '../detector/train-detector.js';
import { runTraining } from './run-training.js';

runTraining({ classification: trainClassifier, object_detection: trainDetector });
