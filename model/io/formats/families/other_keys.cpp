#include "model/io/formats/families/other_keys.h"

#include <set>

namespace headlight::families {

// Of training, of what computes it, of tokenizers, of outputs that are asked for, and of how a model came about.
// cross_attention_hidden_size is of a decoder with a source; pretraining_tp computes the same sums in parts.
bool changes_nothing(const std::string& key) {
  static const std::set<std::string> keys = {
      "_attn_implementation", "_attn_implementation_autoset", "_commit_hash", "_flash_attn_2_enabled",
      "_from_model_config", "_name_or_path", "_num_labels", "activation_checkpointing", "activation_dropout",
      "adam_beta1", "adam_beta2", "adam_epsilon", "adapters_enabled", "add_bos_token", "add_eos_token",
      "attention_dropout", "attention_implementation", "attention_probs_dropout_prob", "attention_softmax_in_fp32",
      "attn_dropout", "attn_impl", "attn_implementation", "attn_pdrop", "author", "auto_map", "aux_loss_coef",
      "bad_words", "base_model", "base_model_name", "base_model_name_or_path", "batch_size", "best_metric", "bf16",
      "bias_dropout_fusion", "bias_gelu_fusion", "block_size", "bos_token", "cache_dir", "cache_implementation",
      "cache_max_batch_size", "cell", "chunk_size_feed_forward", "class2id", "class_names", "class_weights",
      "classes", "classif_dropout", "classifier_dropout", "classifier_dropout_prob", "classifier_dropout_rate",
      "cls_dropout", "cls_token", "cls_token_id", "comment", "comments", "compile", "compile_model", "config_version",
      "context_length", "created_at", "created_by", "creation_date", "cross_attention_hidden_size",
      "cross_attn_dropout", "custom_pipelines", "dataset", "dataset_name", "datasets_version", "date",
      "decoder_dropout", "decoder_layerdrop", "description", "device", "device_map", "directionality",
      "distillation_temperature", "drop_path_rate", "dropout", "dropout_p", "dropout_prob", "dropout_rate", "dtype",
      "early_stop", "emb_pdrop", "emb_size", "embd_dropout", "embd_pdrop", "embed_dropout", "embedding_dropout",
      "embedding_init_std", "encoder_dropout", "encoder_layerdrop", "eos_token", "eos_token_ids", "epochs",
      "experiment_name", "export_model_type", "ff_dropout", "ffn_dropout", "finetuning_task", "flash_attention",
      "flash_attn", "flash_attn_2", "format_version", "fp16", "fused_bias_gelu", "fused_dropout_add_ln", "fused_mlp",
      "fused_rms_norm", "gradient_accumulation_steps", "gradient_checkpointing", "gradient_checkpointing_kwargs",
      "head_dropout", "hf_version", "hidden_dropout", "hidden_dropout_prob", "id2class", "ignore_index",
      "init_method", "init_std", "initializer", "initializer_cutoff_factor", "initializer_factor",
      "initializer_range", "initializer_std", "is_composition", "is_llama_config", "kd_alpha",
      "keys_to_ignore_at_inference", "label2id", "label_list", "label_names", "label_smoothing",
      "label_smoothing_factor", "labels", "lang", "language", "languages", "layerdrop", "learning_rate",
      "library_name", "library_version", "license", "lm_loss_weight", "loss_function", "loss_reduction", "loss_type",
      "lr_scheduler_type", "mask_token", "mask_token_id", "masked_softmax_fusion", "max_context_length",
      "max_grad_norm", "max_len", "max_seq_len", "max_seq_length", "max_sequence_length", "max_source_length",
      "max_steps", "max_target_length", "metadata", "mixed_precision", "mlm_probability", "mlp_dropout", "model_card",
      "model_id", "model_max_len", "model_max_length", "model_name", "model_name_or_path", "model_parallel",
      "model_version", "modelscope_version", "mup_init_scale", "n_ctx", "n_special", "name_or_path",
      "neftune_noise_alpha", "ner_labels", "notes", "num_classes", "num_epochs", "num_labels", "num_train_epochs",
      "onnx_export", "optimizer", "output_attentions", "output_dir", "output_hidden_states", "output_past",
      "output_router_logits", "output_scores", "pad_token", "padding_side", "paddlenlp_version", "parallelizable",
      "parent_model", "per_device_eval_batch_size", "per_device_train_batch_size", "pipeline_parallel",
      "pipeline_parallel_size", "pipeline_tag", "pooler_dropout", "pooler_fc_size", "pooler_num_attention_heads",
      "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type", "pos_weight", "pre_trained",
      "predict_special_tokens", "prefix", "pretrained_model_name_or_path", "pretraining_tp", "qa_dropout",
      "random_seed", "replacing_rate", "resid_dropout", "resid_pdrop", "residual_dropout", "return_dict",
      "return_legacy_cache", "revision", "rope_fusion", "router_aux_loss_coef", "run_name", "save_step",
      "sbert_ce_default_activation_function", "scale_attention_softmax_in_fp32", "seed", "sentence_transformers",
      "sep_token", "sep_token_id", "seq_classif_dropout", "seq_len", "seq_length", "sequence_length",
      "sequence_parallel", "softmax_in_fp32", "source_model", "structure", "student_decoder_layers",
      "student_encoder_layers", "summary_activation", "summary_first_dropout", "summary_last_dropout",
      "summary_proj_to_labels", "summary_type", "summary_use_proj", "tags", "task", "task_name",
      "task_specific_params", "tasks", "teacher_model", "tensor_parallel", "tensor_parallel_degree",
      "tensor_parallel_size", "tf_legacy_loss", "tie_encoder_decoder", "token_dropout_prob", "tokenizer_class",
      "tokenizer_file", "tokenizer_model", "tokenizer_name", "tokenizer_type", "tokenizers_version", "torch_compile",
      "torch_dtype", "torch_version", "torchscript", "train_batch_size", "train_dataset", "train_epochs",
      "train_seq_length", "trained_seq_len", "training", "training_length", "transformers.js_config",
      "transformers_version", "transformers_weights", "truncation_side", "trust_remote_code", "unk_token",
      "unk_token_id", "unpad_inputs", "unsloth_fixed", "unsloth_training", "unsloth_version", "use_auth_token",
      "use_bfloat16", "use_cache", "use_cpu", "use_flash_attention", "use_flash_attention_2", "use_flash_attn",
      "use_flash_attn_2", "use_flash_rotary", "use_fused_attention", "use_fused_layernorm", "use_fused_mlp",
      "use_fused_rms_norm", "use_fused_rope", "use_gradient_checkpointing", "use_habana_flash_attention",
      "use_kernel_forward_from_hub", "use_kv_cache", "use_liger_kernel", "use_memory_efficient_attention",
      "use_neftune", "use_reentrant", "use_return_dict", "use_sdpa", "use_sdpa_attention", "use_softmax_fp32",
      "use_triton", "use_unsloth", "use_xformers", "version", "vocab_file", "wandb_run_id", "warmup_ratio",
      "warmup_steps", "weight_decay", "xla_device"};
  return keys.count(key) > 0;
}

bool is_read_elsewhere(const std::string& key) {
  static const std::set<std::string> keys = {"architectures", "bos_token_id", "id2label", "is_encoder_decoder", "model_type", "pad_token_id", "problem_type", "pruned_heads", "quantization_config"};
  return keys.count(key) > 0;
}

bool says_nothing(const std::string& key, const Json& value) {
  return key.starts_with('_') || key.starts_with("//") || value.is_null() || value == false ||
         ((value.is_array() || value.is_object() || value.is_string()) && value == Json(value.type()));
}

}  // namespace headlight::families
